import CAllocator
import Sluice
import SystemPackage
import ZstdCodec
@main struct A { static func main() {
 let a = CommandLine.arguments
 let t = a.count > 3 ? Int(a[3])! : availableProcessors()
 do {
  let s = try Source(.standardInput)
  var j = Job(a[1] == "d" || a[1] == "t" ? .decompress() : a[1] == "s" ? .compressToSingleFrame(.init(level: Int(a[2])!), contentSize: s.size) : .compress(.init(level: Int(a[2])!)), threads: t)
  if a.count > 4 { j.spareSlots = Int(a[4])! }
  _ = try j.run(from: s, to: a[1] == "t" ? nil : try Sink(.standardOutput))
 } catch { print("err \(error)") }
} }
