// Re-exports every type that the library takes or returns, so that `import Sluice` is enough: options, dictionaries and
// failures of the codecs, and the paths and descriptors of swift-system. Wrappers would give each of them a second
// name. The files of this module get these imports from here, too.
@_exported public import Archives
@_exported public import ByteStreams
@_exported public import ChunkPipeline
@_exported public import ForeignCodec
@_exported public import FrameRecovery
@_exported public import RemoteSources
@_exported public import SystemPackage
@_exported public import ZstdCodec
