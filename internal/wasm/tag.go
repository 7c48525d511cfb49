package wasm

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"golang.org/x/sys/cpu"
)

// runtimeModule is the path of wazero.
const runtimeModule = "github.com/tetratelabs/wazero"

// runtimeVersion is the version of wazero in go.mod. wazero names its own
// folder after what the build says, which not every build does: tests do not.
const runtimeVersion = "v1.12.0"

// tag names all that decides whether compiled code may be used, besides the
// text of the module: version of the runtime, as the build and as we know it,
// system, architecture and features of the processor.
var tag = sync.OnceValue(func() string {
	known := "test"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == runtimeModule {
				known = runtimeVersion
			}
		}
	}
	if known != runtimeVersion {
		known += runtimeVersion
	}
	return fmt.Sprintf("%s-%s-%s-%x", known, runtime.GOOS, runtime.GOARCH, features())
})

// features has a bit for each feature of the processor for which the runtime
// may make other code.
func features() (bits uint32) {
	for i, has := range []bool{
		cpu.X86.HasSSE3, cpu.X86.HasSSSE3, cpu.X86.HasSSE41, cpu.X86.HasSSE42, cpu.X86.HasPOPCNT, cpu.X86.HasBMI1, cpu.X86.HasBMI2,
		cpu.X86.HasAVX, cpu.X86.HasAVX2, cpu.ARM64.HasATOMICS,
	} {
		if has {
			bits |= 1 << i
		}
	}
	return bits
}
