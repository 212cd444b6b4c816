// Reads a file of one frame, and one of many, through klauspost/compress, as docs/readers.md says.
//
//	readers WANTED ONE MANY
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

func stream(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	decoder, err := zstd.NewReader(file)
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	return io.ReadAll(decoder)
}

func whole(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	return decoder.DecodeAll(data, nil)
}

func main() {
	wanted, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	code := 0
	for _, reader := range []struct {
		name string
		read func(string) ([]byte, error)
	}{{"NewReader", stream}, {"DecodeAll", whole}} {
		for _, path := range os.Args[2:] {
			found, err := reader.read(path)
			same := err == nil && bytes.Equal(found, wanted)
			fmt.Println(reader.name, path, same, err)
			if !same {
				code = 1
			}
		}
	}
	os.Exit(code)
}
