//go:build biome

package pack

import "embed"

const hasBiome = true

// biome is what "internal/gen/pack -pack biome" writes.
//
//go:embed all:biome/blob
var biome embed.FS
