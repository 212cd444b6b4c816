import Sluice

extension Statistics.Stage {
    /// The stage's name for people.
    var label: String {
        switch name {
        case "slot": "slot wait"
        case "order": "order wait"
        default: name
        }
    }
}
