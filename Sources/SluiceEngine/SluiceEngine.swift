// What the engine is made of comes with it. All files of this module, and those that import it (the interface, the
// command, tests), see these libraries without saying so again; a program sees only what `Sluice.swift` names.
@_exported public import Archives
@_exported public import ByteStreams
@_exported public import ChunkPipeline
@_exported public import ForeignCodec
@_exported public import FrameRecovery
@_exported public import RemoteSinks
@_exported public import RemoteSources
@_exported public import SystemPackage
@_exported public import ZstdCodec
