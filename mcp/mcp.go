// Package mcp is the place of the stdio server for agents: one file a tool. It
// is empty so far; nothing pretends to be a server.
package mcp
