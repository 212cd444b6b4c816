// What has to be in place before Swift begins, in the process of the command only.
#ifndef SLUICE_CSTART_H
#define SLUICE_CSTART_H

/// The number of words of the command line, its name included.
int sluice_word_count(void);

/// A word of the command line; NULL past the last.
///
/// glibc gives the words to constructors. Swift looks for them in /proc, and finds none where that is missing.
const char *sluice_word(int index);

/// What is called, on any thread, when the system refuses what libdispatch can't do without; it does not return.
///
/// - action: a verb with its object, such as "start a thread".
/// - error: the error of the call.
typedef void (*sluice_shortage_handler)(const char *action, int error);

/// Sets it. Until then the process ends with exit code 1 and a sentence.
void sluice_on_shortage(sluice_shortage_handler handler);

#endif
