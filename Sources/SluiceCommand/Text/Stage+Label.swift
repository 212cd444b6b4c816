import Sluice

extension Statistics.Stage {
    /// Its name for a person.
    var label: String {
        switch name {
        case "slot": "slot wait"
        case "order": "order wait"
        default: name
        }
    }
}
