import {admissionErrors} from '@gemini-kernel/admission/errors';
import {commandErrors} from '@gemini-kernel/command/errors';
import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code that this program throws itself. */
export const programErrors: ErrorTable = {
  COMMAND_UNKNOWN: {when: 'The first words are no command of an installed plugin.', exit: 127},
  CWD_MISSING: {when: 'The current directory was deleted, or may not be entered.', exit: 42},
  HOME_FOREIGN: {when: 'Root runs the program with the home folder of another user.', exit: 52},
  HOME_MISSING: {when: 'HOME is not set, and the system does not know the user that the program runs as.', exit: 42},
  INSTALLS_UNRELIABLE: {when: 'What a person installed or applied cannot be read, or others may change it.', exit: 52},
  RUN_HUNG_UP: {when: 'SIGHUP ended a command.', exit: 129},
  RUN_INTERRUPTED: {when: 'SIGINT (Ctrl+C) ended a command.', exit: 130},
  RUN_TERMINATED: {when: 'SIGTERM ended a command.', exit: 143},
};

/** The codes of this program and of the packages that it is made of, beside the kernel's and those of plugins. */
export const hostErrors: ErrorTable = {...admissionErrors, ...commandErrors, ...programErrors};
