// What a program sees with `import Sluice`: the types of this folder, and these, declared where they are made. Wrappers
// would give each of them a second name; a whole module would let a program depend on what is not promised.

@_exported public import struct Archives.ArchiveMember
@_exported public import struct ByteStreams.Failure
@_exported public import protocol ByteStreams.RangeSource
@_exported public import class ByteStreams.RateLimit
@_exported public import struct RemoteSources.AccessKey
@_exported public import class RemoteSources.RemoteClient
@_exported public import class RemoteSources.RemoteFile
@_exported public import struct RemoteSources.RemoteLocation
@_exported public import struct RemoteSources.RemoteOptions
@_exported public import struct SluiceEngine.Compression
@_exported public import struct SluiceEngine.ContentRange
@_exported public import struct SluiceEngine.Decompression
@_exported public import struct SluiceEngine.HashFunction
@_exported public import struct SluiceEngine.IndexFile
@_exported public import struct SluiceEngine.RunStatistics
@_exported public import struct SluiceEngine.Summary
@_exported public import struct SluiceEngine.Verification
@_exported public import struct SystemPackage.Errno
@_exported public import struct SystemPackage.FileDescriptor
@_exported public import struct SystemPackage.FilePath
@_exported public import class ZstdCodec.CompressionDictionary
@_exported public import struct ZstdCodec.CompressionOptions
@_exported public import struct ZstdCodec.CompressionParameter
@_exported public import class ZstdCodec.DecompressionDictionary
@_exported public import struct ZstdCodec.DictionarySamples
@_exported public import struct ZstdCodec.DictionaryTrainer
