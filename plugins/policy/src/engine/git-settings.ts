/** One setting of a file of git's configuration. */
export interface GitSetting {
  /** Section and name in lower case, with what stands in quotes between them: `remote.origin.url`. */
  readonly name: string;
  readonly value: string;
}

const SECTION = /^\[([A-Za-z0-9-]+)(?:[ \t]+"((?:[^"\\\n]|\\["\\])*)")?\][ \t]*/;
const SETTING = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=[ \t]*([^\n]*))?$/;

/**
 * Reads a file of git's configuration; undefined when a line is not of the plainest form, which git may read otherwise.
 */
export function readGitSettings(text: string): readonly GitSetting[] | undefined {
  const settings: GitSetting[] = [];
  let section = '';
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    let rest = line.trim();
    const head = SECTION.exec(rest);
    if (head) {
      section = nameSection(head);
      rest = rest.slice(head[0].length).trim();
    }
    if (rest === '' || /^[#;]/.test(rest)) continue;
    const setting = section === '' ? undefined : readSetting(section, rest);
    if (!setting) return undefined;
    settings.push(setting);
  }
  return settings;
}

function nameSection([, name = '', quoted]: RegExpExecArray): string {
  return `${name.toLowerCase()}${quoted === undefined ? '' : `.${quoted.replaceAll(/\\(.)/g, '$1')}`}`;
}

function readSetting(section: string, text: string): GitSetting | undefined {
  const [all, name, value = 'true'] = SETTING.exec(text) ?? [];
  // A value that continues, is quoted in parts, or has a comment behind it is left to git.
  if (all === undefined || name === undefined || /\\$|[\0-\x08]/.test(value)) return undefined;
  return {name: `${section}.${name.toLowerCase()}`, value: value.replace(/^"([^"\\]*)"$/, '$1')};
}

/** Settings of a repository that neither run a program nor name a file that git reads. */
const HARMLESS = [
  /^user\.(?:name|email|signingkey|useconfigonly)$/,
  /^(?:author|committer)\.(?:name|email)$/,
  /^(?:color|advice|column|branch|alias|gc|pack|index|receive)\./,
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev)$/,
  /^core\.(?:longpaths|compression|bigfilethreshold|untrackedcache|preloadindex|commentchar|whitespace|checkstat|trustctime|sparsecheckout(?:cone)?)$/,
  /^core\.(?:protectntfs|protecthfs|hidedotfiles|sharedrepository|commitgraph|multipackindex|splitindex|fscache)$/,
  /^remote\..+\.(?:url|pushurl|fetch|push|prune|tagopt|mirror|skip.*|gh-resolved)$/,
  /^remote\.pushdefault$/,
  /^submodule\..+\.(?:url|active|branch|ignore)$/,
  /^submodule\.(?:recurse|active|fetchjobs)$/,
  /^(?:commit|tag|push)\.(?:gpgsign|verbose|status|sort|default|autosetupremote|followtags)$/,
  /^(?:pull|rebase|merge)\.(?:rebase|ff|autostash|autosquash|updaterefs|stat|conflictstyle)$/,
  /^init\.defaultbranch$/,
  /^status\.[a-z]+$/,
  /^diff\.(?:renames|renamelimit|algorithm|noprefix|mnemonicprefix|colormoved|context|stat)$/,
  /^log\.(?:date|decorate|follow|abbrevcommit)$/,
  /^fetch\.(?:prune|prunetags|parallel|recursesubmodules|writecommitgraph)$/,
  /^extensions\.(?:worktreeconfig|objectformat|refstorage|relativeworktrees)$/,
  /^lfs\.(?:repositoryformatversion|.+\.access|.+\.locksverify)$/,
  /^(?:feature|maintenance)\.(?:auto|strategy|manyfiles|experimental)$/,
  /^rerere\.(?:enabled|autoupdate)$/,
  /^http\.(?:version|postbuffer|lowspeedlimit|lowspeedtime|.+\.extraheader)$/,
  /^credential\.(?:.+\.)?(?:username|usehttppath)$/,
  /^gui\.[a-z]+$/,
  /^vscode-merge-base$|^branch\..+\.vscode-merge-base$/,
  /^github-pr\./,
  /^format\.pretty$/,
  /^safe\.directory$/,
  /^pull\.octopus$/,
  /^help\.autocorrect$/,
];

/** Whether a setting of a repository cannot make git run or read anything else. */
export function isHarmless({name, value}: GitSetting): boolean {
  if (name === 'core.fsmonitor') return /^(?:false|no|off|0|true|)$/i.test(value);
  if (name === 'core.hookspath') return true;
  return HARMLESS.some((pattern) => pattern.test(name));
}
