import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  RULE_NOT_NARROWER: {when: 'A rule that is to be kept would allow more than was proposed, or not the call itself.'},
  POLICY_ADMIN_BROKEN: {
    when: 'A rule file of the administrator has an error, so what it forbids is unknown.',
    exit: 52,
  },
  POLICY_BROKEN: {
    when:
      'A source of rules of a person, a trusted project or a bundle cannot be read whole, so that what it denied ' +
      'would pass.',
    exit: 52,
  },
  POLICY_ADMIN_UNSAFE: {
    when: "The folder of the administrator's rules, or a file in it, could be changed by others.",
    exit: 52,
  },
  POLICY_UNREADABLE: {when: 'A rule file, or a file of cases, that was named cannot be read or is not TOML.', exit: 42},
  CALL_UNCLEAR: {when: 'The call that a policy command is asked about cannot be read, or lacks something.', exit: 42},
  POLICY_UNWRITABLE: {when: 'An approval cannot be kept, because the file would not say what was approved.'},
  POLICY_CASES_INVALID: {
    when: 'A file of cases for gemini policy test cannot be read, or a case in it lacks something.',
    exit: 42,
  },
  MODE_TOO_LOOSE: {
    when: 'A session that another one opened would change to a mode that allows more than it began with.',
  },
  MODE_UNKNOWN: {when: 'A session would change to an approval mode that does not exist.', exit: 42},
  YOLO_DISABLED: {when: 'The approval mode yolo was asked for where settings rule it out.', exit: 52},
} as const satisfies ErrorTable;
