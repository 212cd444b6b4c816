internal import CStages

/// The tables of one thread that reads what the blocks of one frame say (`stages_tables`).
package struct BlockTables: ~Copyable {
    let tables: OpaquePointer

    /// - Throws: `outOfMemory`.
    package init() throws(CodecFailure) {
        guard let tables = stages_make_tables() else { throw .outOfMemory }
        self.tables = tables
    }

    deinit { stages_free_tables(tables) }
}
