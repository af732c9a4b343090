import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  ARCHIVE_REFUSED: {
    when:
      'The archive of a plugin contains something forbidden: a link, a path that leads outside, two names ' +
      'that are the same on some systems, or too much data.',
  },
  BUNDLE_ARCHIVE_MISSING: {
    when: 'The archive of a plugin or of a dependency is not available with the content that a lock names.',
  },
  BUNDLE_EXISTS: {when: 'A folder or a key that would be created for a bundle already exists.'},
  BUNDLE_EXPIRED: {when: 'A bundle has expired.', exit: 52},
  BUNDLE_INVALID: {
    when:
      'A bundle or its lock does not match its schema, or contains an error: a policy that is not valid ' +
      'TOML, an unknown setting, rules against its own plugins.',
    exit: 42,
  },
  BUNDLE_KEY_UNUSABLE: {when: 'A key cannot be read, or is not an Ed25519 key.', exit: 42},
  BUNDLE_LOOSE: {
    when: 'A plugin of a bundle, or a dependency, comes from a source that does not pin its content.',
  },
  BUNDLE_NOT_ADMINISTRATOR: {
    when: 'Applying or removing a bundle for all users needs write access there.',
  },
  BUNDLE_REFUSED: {when: "The administrator's rules do not allow a bundle, or cannot be used.", exit: 52},
  BUNDLE_REPLAYED: {
    when: 'A bundle has a lower serial than one that was applied before, or the same serial with other content.',
    exit: 52,
  },
  BUNDLE_STALE: {when: 'A lock no longer matches its bundle.'},
  BUNDLE_TAMPERED: {
    when: 'An archive, a policy or the files of a plugin differ from what the lock of a bundle names.',
    exit: 52,
  },
  BUNDLE_UNCONFIRMED: {when: 'A bundle was not confirmed.'},
  BUNDLE_UNFIT: {
    when: 'A bundle is made for another kernel, or contains a plugin that cannot load beside the product.',
    exit: 52,
  },
  BUNDLE_UNKNOWN: {when: 'The named bundle is not applied.', exit: 42},
  BUNDLE_UNREADABLE: {when: 'A file of a bundle is missing or damaged.', exit: 42},
  BUNDLE_UNTRUSTED: {
    when: 'A bundle has no signature by a trusted key, or one that does not match its content.',
    exit: 52,
  },
  BUNDLE_UNWRITABLE: {when: 'A file of a bundle cannot be written.'},
  CATALOG_INVALID: {
    when: 'A catalog does not match its schema, has expired, is older than one seen before, or is signed wrongly.',
  },
  CATALOG_UNKNOWN: {when: 'There is no catalog and no registry of the name that --source gives.', exit: 42},
  CATALOG_UNREACHABLE: {when: 'No source that could be searched can be read or reached.'},
  INSTALL_BUSY: {when: 'Another process has been changing the installed plugins for a minute.'},
  INSTALL_CHANGED: {when: 'The fetched bytes differ from those that the registry, or the lock, names.'},
  INSTALL_DOWNGRADED: {
    when: 'The version is older than the installed one, and was not requested by its number.',
  },
  INSTALL_FORBIDDEN: {
    when: "The administrator's rules do not allow a plugin to be installed, or to be removed.",
    exit: 52,
  },
  INSTALL_FROZEN: {when: 'The lock is frozen and does not contain what was asked for.'},
  INSTALL_INCOMPLETE: {when: 'The dependencies of a plugin cannot be fetched, or have no digest.'},
  INSTALL_LOOKALIKE: {
    when: 'The name of a plugin differs from another by only a letter, and there is no person to check it.',
  },
  INSTALL_MISSING: {when: 'A registry, a folder or a repository does not have what was asked for.'},
  INSTALL_PROGRAM_MISSING: {when: 'An installation needs npm or git, which is not on the PATH.'},
  INSTALL_SPEC_INVALID: {when: 'The argument is not a name, range, archive, folder or repository.', exit: 42},
  INSTALL_UNAUTHORISED: {when: 'A registry requires a login, or refuses this user.'},
  INSTALL_UNCONFIRMED: {when: 'A plugin was not confirmed.'},
  INSTALL_UNREACHABLE: {when: 'A registry or a server cannot be reached, or does not answer.'},
  INSTALL_UNWRITABLE: {when: 'The store or the lock cannot be written: no space, or no write access.'},
  PLUGIN_NOT_INSTALLED: {when: 'The named plugin is not in the lock.', exit: 42},
  PLUGIN_UNFIT: {when: 'A package is not a plugin of this program, or cannot load beside the others.'},
  PROVENANCE_BROKEN: {when: 'The attestations of a plugin do not verify, or are about another archive.'},
  ROLLBACK_IMPOSSIBLE: {when: 'There is no earlier state, or its files have changed.'},
  SIGNATURE_BROKEN: {when: 'A plugin is signed with a known key, but its files do not match the signature.'},
} as const satisfies ErrorTable;
