import Testing

@testable import RemoteSinks

struct PartPlanTests {
    private static let mebibyte = 1 << 20

    /// Sizes and limits that anybody may type.
    @Test func `any memory and any size make a plan`() {
        let numbers = [0, 1, 5 << 20, 8 << 20, 20 << 20, 1 << 40, Int.max]
        for memory in numbers {
            for number in numbers {
                for size in [PartPlan.Size.expected(UInt64(number)), .expected(.max), .unknown, .parts(1 << 30)] {
                    let plan = PartPlan(size, memory: memory)
                    let largest = plan.size(of: 10_000) ?? 0
                    #expect(PartPlan.leastPart...PartPlan.mostPart ~= (plan.size(of: 1) ?? 0))
                    #expect(plan.capacity > 0 && largest <= plan.most)
                    let most = max(memory, PartPlan.leastPart, plan.size(of: 1) ?? 0)
                    #expect(size == .unknown ? plan.most == most : plan.most <= most)
                }
            }
        }
    }

    @Test(arguments: [10, 16, 64, 100, 256], [1, 5, 100, 5000, 160_000, 1_000_000, 2_400_000])
    func `parts hold what is expected, and fit the memory`(memory: Int, size: Int) {
        let expected = UInt64(size) << 20
        let plan = PartPlan(.expected(expected), memory: memory * Self.mebibyte)
        #expect(plan.capacity >= expected)
        for number in [1, 999, 1000, 1001, 2500, 9999, 10_000] {
            let part = plan.size(of: number) ?? 0
            #expect(part >= PartPlan.leastPart)
            let connections = plan.connections(for: part)
            #expect(1...16 ~= connections)
            #expect(part * connections <= plan.memory || connections == 1)
            #expect(plan.room(for: part) <= plan.memory)
            #expect(plan.room(for: part) >= part * connections || connections == 1)
            // Larger than half of the memory only where 10,000 parts would not do.
            #expect(part <= plan.memory / 2 || UInt64(part - Self.mebibyte) * 10_000 <= expected)
        }
        #expect(plan.size(of: 10_001) == nil)
    }

    @Test func `an object of unknown size may have about a tebibyte`() {
        let plan = PartPlan(.unknown)
        #expect(plan.capacity >= 980 << 30)
        #expect((plan.size(of: 1), plan.size(of: 10_000)) == (16 << 20, 128 << 20))
        #expect((plan.connections(for: 16 << 20), plan.connections(for: 128 << 20)) == (16, 2))
        #expect(plan.isEven(1000) && !plan.isEven(1002))
        #expect(plan.scarceCapacity == nil)
    }

    /// As docs/remote.md has them.
    @Test(arguments: [(20, 48), (64, 75), (256, 252)])
    func `with little memory an object of unknown size has less, and says so`(limit: Int, gibibytes: UInt64) {
        let plan = PartPlan(.unknown, memory: limit * Self.mebibyte / 4)
        #expect(plan.scarceCapacity.map { $0 >> 30 } == gibibytes)
        #expect(PartPlan(.parts(5 << 20), memory: limit * Self.mebibyte / 4).scarceCapacity == nil)
    }

    /// Else the run would have less memory for its frames than it could have.
    @Test(arguments: [1, 2, 8, 16], [1, 100, 30_000, 2_400_000])
    func `no more memory is reserved than the connections use`(connections: Int, size: Int) {
        let first = PartPlan(.expected(UInt64(size) << 20)).size(of: 1) ?? 0
        for size in [PartPlan.Size.expected(UInt64(size) << 20), .parts(first)] {
            let plan = PartPlan(size, connections: connections)
            #expect(plan.most == max(first, min(PartPlan.usualMemory, 2 * connections * first)))
            for number in [1, 1000, 1001, 9999, 10_000] {
                let part = plan.size(of: number) ?? 0
                #expect(part <= plan.most && plan.room(for: part) <= plan.most)
            }
            #expect(plan.connections(for: first) == max(1, min(connections, PartPlan.usualMemory / first)))
        }
        #expect(PartPlan(.unknown, connections: connections).most == PartPlan.usualMemory)
    }

    @Test(arguments: [PartPlan.Size.unknown, .expected(900_000 << 20), .parts(8 << 20)], [20, 256])
    func `an upload that goes on has parts of the sizes that it began with`(size: PartPlan.Size, memory: Int) {
        let plan = PartPlan(size, memory: memory * Self.mebibyte, connections: 4)
        let later = PartPlan(size, memory: 64 * Self.mebibyte).with(plan.sizes)
        for number in [1, 2, 999, 1000, 1001, 2500, 9999, 10_000, 10_001] {
            #expect(later.size(of: number) == plan.size(of: number))
            #expect(later.size(of: number) ?? 0 <= later.most)
        }
        // The memory, and with it how many are sent at once, is that of this run, whatever the other had.
        #expect(later.memory == PartPlan(size, memory: 64 * Self.mebibyte).memory)
        #expect(later.connections(for: 1) == 16)
    }

    @Test func `with a known size five tebibytes fit`() {
        #expect(PartPlan(.expected(5 << 40)).capacity >= 5 << 40)
        #expect(PartPlan(.parts(525 << 20)).capacity >= 5 << 40)
        let plan = PartPlan(.parts(8 << 20))
        #expect(plan.isEven(10_000) && plan.size(of: 10_000) == 8 << 20)
    }
}
