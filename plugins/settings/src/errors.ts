import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  SETTINGS_BROKEN: {
    when: 'A settings.json is not JSON (comments allowed), not UTF-8, or not an object. Nothing is overwritten.',
    exit: 52,
  },
  SETTINGS_UNREADABLE: {when: 'A settings.json exists but cannot be read.', exit: 52},
  SETTINGS_UNSAFE: {when: 'Other users can write to a settings or trust file of yours.', exit: 52},
  SETTINGS_UNWRITABLE: {when: 'A settings.json, or the directory it lies in, cannot be written.'},
  SETTINGS_LOCKED: {when: 'Another process kept the lock of a settings.json for five seconds.'},
  SETTINGS_PLACELESS: {
    when: 'The project has no settings.json of its own, because the working directory is the home directory.',
  },
  SETTING_MISFIT: {when: 'A value to be set is not what the schema expects.'},
  SETTING_UNKNOWN: {when: 'No layer sets a key, and the schema does not know it.'},
  SETTING_REMOTE: {when: 'A key to be set belongs to remote administration; what files say about it is discarded.'},
  KEY_MALFORMED: {when: 'A dotted key has an empty part.'},
  VALUE_UNCLEAR: {when: 'Neither a value nor --unset was given, or both were.'},
} as const satisfies ErrorTable;
