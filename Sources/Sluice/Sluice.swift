// What a program needs to name what the library takes and gives, so that `import Sluice` is enough: options,
// dictionaries and failures of the codecs, and the paths and descriptors of swift-system. Wrappers of these would be a
// second name for each of them. The files of this module see them by these lines, too.
@_exported public import Archives
@_exported public import ByteStreams
@_exported public import ChunkPipeline
@_exported public import ForeignCodec
@_exported public import FrameRecovery
@_exported public import SystemPackage
@_exported public import ZstdCodec
