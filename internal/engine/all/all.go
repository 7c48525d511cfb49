// Package all lists the engines that are built in. Only cmd/poly and tests
// import it: the runner is handed its engines.
package all

//go:generate go run poly/internal/gen/lists
