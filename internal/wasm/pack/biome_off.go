//go:build !biome

package pack

import "embed"

const hasBiome = false

var biome embed.FS
