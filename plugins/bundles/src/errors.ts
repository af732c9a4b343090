import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  ARCHIVE_REFUSED: {
    when:
      'The archive of a plugin holds what no archive may: a link, a path that leads out, two names that are one, or ' +
      'too much.',
  },
  BUNDLE_ARCHIVE_MISSING: {
    when:
      'The archive of a plugin, or of what it needs, is not at hand and cannot be got with the content that a lock ' +
      'names.',
  },
  BUNDLE_EXISTS: {when: 'A folder or a key that would be made for a bundle is there already.'},
  BUNDLE_EXPIRED: {when: 'A bundle is applied after the time at which it expires.', exit: 52},
  BUNDLE_INVALID: {
    when:
      'A bundle or its lock does not follow its schema, or says what cannot be: a policy that is no TOML, a setting ' +
      'that is none, rules against its own plugins.',
    exit: 42,
  },
  BUNDLE_KEY_UNUSABLE: {when: 'A key is none, or no Ed25519 key.', exit: 42},
  BUNDLE_LOOSE: {
    when: 'A plugin of a bundle, or what it needs, comes from where nothing says what its content must be.',
  },
  BUNDLE_NOT_ADMINISTRATOR: {
    when: 'A bundle would be applied or removed for everybody by somebody who may not write there.',
  },
  BUNDLE_REFUSED: {when: 'The rules of an administrator do not let a bundle in, or cannot be relied on.', exit: 52},
  BUNDLE_REPLAYED: {
    when: 'A bundle has a lower serial than one that was applied before, or the same with other content.',
    exit: 52,
  },
  BUNDLE_STALE: {when: 'A lock no longer is what its bundle asks for.'},
  BUNDLE_TAMPERED: {
    when: 'An archive, a policy or the files of a plugin are not those that the lock of a bundle names.',
    exit: 52,
  },
  BUNDLE_UNCONFIRMED: {when: 'Nobody said yes to a bundle.'},
  BUNDLE_UNFIT: {when: 'A bundle is made for another kernel, or brings what cannot load beside the product.', exit: 52},
  BUNDLE_UNKNOWN: {when: 'A bundle was named that is not applied.', exit: 42},
  BUNDLE_UNREADABLE: {when: 'A file of a bundle is missing or damaged.', exit: 42},
  BUNDLE_UNTRUSTED: {
    when: 'A bundle has no signature by a key that counts here, or one that does not fit its content.',
    exit: 52,
  },
  BUNDLE_UNWRITABLE: {when: 'A file of a bundle cannot be written.'},
  INSTALL_BUSY: {when: 'Another process has been changing the installed plugins for a minute.'},
  INSTALL_CHANGED: {when: 'The bytes that came are not those that the registry, or the lock, names.'},
  INSTALL_DOWNGRADED: {
    when: 'An older version than the installed one would be installed, and nobody asked for it by its number.',
  },
  INSTALL_FORBIDDEN: {when: 'The rules of an administrator do not let a plugin in, or out.', exit: 52},
  INSTALL_FROZEN: {when: 'A lock was to be followed to the letter, and does not have what was asked for.'},
  INSTALL_INCOMPLETE: {when: 'The dependencies of a plugin cannot be got, or are not locked to any content.'},
  INSTALL_LOOKALIKE: {
    when: 'The name of a plugin is that of another but for a letter, and nobody is there to look at it.',
  },
  INSTALL_MISSING: {when: 'A registry, a folder or a repository does not have what was asked for.'},
  INSTALL_PROGRAM_MISSING: {when: 'There is no npm, or no git, on the PATH, and an installation needs it.'},
  INSTALL_SPEC_INVALID: {when: 'What was to be installed is no name, range, archive, folder or repository.', exit: 42},
  INSTALL_UNAUTHORISED: {when: 'A registry wants to know who asks, or does not let them.'},
  INSTALL_UNCONFIRMED: {when: 'Nobody said yes to a plugin.'},
  INSTALL_UNREACHABLE: {when: 'A registry or a server cannot be reached, or does not answer.'},
  INSTALL_UNWRITABLE: {when: 'The store or the lock cannot be written: no space, or no right to.'},
  PLUGIN_NOT_INSTALLED: {when: 'A plugin was named that the lock does not have.', exit: 42},
  PLUGIN_UNFIT: {when: 'A package is no plugin of this program, or could not load beside the others.'},
  PROVENANCE_BROKEN: {when: 'The attestations of a plugin do not verify, or are not about the archive that came.'},
  ROLLBACK_IMPOSSIBLE: {when: 'There is no earlier state to go back to, or its files are not what they were.'},
  SIGNATURE_BROKEN: {when: 'A plugin is signed with a known key, but not for these files.'},
} as const satisfies ErrorTable;
