import SluiceEngine

/// What a run shows: a bar, a summary, or nothing.
extension Settings {
    /// How progress is shown; not `auto`.
    var progressStyle: ProgressStyle {
        guard reporting.progress == .auto else { return reporting.progress }
        // A bar would get in the way of typing.
        let isTyped =
            operands.contains(Operand.standardInput) && input.commandWords == nil
            && StandardDescriptors.isTerminal(.standardInput)
        let isSilent =
            reporting.quietness > 0 || isTyped || decoding.following != nil || followsZstd && goesToStandardOutput
            || meetsData
        return !isSilent && StandardDescriptors.isTerminal(.standardError) ? .bar : .none
    }

    /// Whether a bar might be drawn over the data: if that appears on the terminal itself, or in a program that shows
    /// it there, such as a pager. Compressed data in a pipe is not for the terminal.
    private var meetsData: Bool {
        // A list that the terminal shows is printed above the bar.
        if !activity.hasOutput {
            return command.optionGroups.contains(.archives) && StandardDescriptors.isPipe(.standardOutput)
        }
        guard goesToStandardOutput else { return false }
        return StandardDescriptors.isTerminal(.standardOutput)
            || activity.content == .output && StandardDescriptors.isPipe(.standardOutput)
    }

    /// The name of a run in its summary and its bar. Data that comes from standard input or a command is named after
    /// the file that it goes to, so that the lines of several runs can be told apart.
    func runName(of operand: FilePath) -> FilePath {
        guard operand.isStandardInput else { return operand }
        if activity.hasOutput, let path = output.destination.path ?? output.destination.object { return path }
        return input.commandWords?.first.map(InputCommand.name) ?? Operand.standardInputName
    }

    /// Whether the sizes of input and output are of the same content. For ranges and members, whole frames are read.
    var hasRatio: Bool {
        activity.content != .both && !decoding.isExcerpt && members.selection.patterns.isEmpty
            && (command.part == nil || activity.content == .input)
    }

    /// Whether to print the summary: in a pipeline only if asked for.
    var showsSummary: Bool {
        // Output for programs stays alone, and so does a list.
        guard reporting.quietness == 0, reporting.progress != .json,
            reporting.statistics != .json, activity.hasOutput || !command.optionGroups.contains(.archives)
        else { return false }
        return reporting.verbosity > 0 || reporting.statistics != nil || !activity.hasOutput || !goesToStandardOutput
    }

    /// Whether the bar's last line stays, like pv's: in a pipeline nothing else reports the amount.
    var keepsBar: Bool {
        guard goesToStandardOutput, !showsSummary, reporting.statistics != .json else { return false }
        let readsPipe =
            input.commandWords != nil
            || operands.contains(Operand.standardInput) && StandardDescriptors.isPipe(.standardInput)
        return readsPipe || StandardDescriptors.isPipe(.standardOutput)
    }
}
