// What only the process of the command has: code that must run before Swift starts, and what its linking knew.
#ifndef SLUICE_CSTART_H
#define SLUICE_CSTART_H

/// The number of words on the command line, including the command's name.
int sluice_word_count(void);

/// A word of the command line; NULL after the last.
///
/// glibc passes the words to constructors. Swift looks for them in /proc, and finds none where that is missing.
const char *sluice_word(int index);

/// Called, on any thread, when the system refuses something that libdispatch can't do without; must not return.
///
/// - action: a verb with its object, such as "start a thread".
/// - error: the error of the call.
typedef void (*sluice_shortage_handler)(const char *action, int error);

/// Sets the handler. Until then, a shortage ends the process with exit code 1 and a message.
void sluice_on_shortage(sluice_shortage_handler handler);

/// The parts that are linked in and have no function to ask for their versions: a line with name and version for each.
///
/// The scripts link this text in (packaging/parts.bash). `swift build` alone does not know the versions.
const char *sluice_linked_parts(void);

#endif
