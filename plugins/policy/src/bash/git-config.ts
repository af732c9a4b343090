import {plainWord} from './source.js';
import {doubt, runWordAsText, type Position, type Walk} from './walk.js';
import type {ShellWord} from './syntax.js';

/** Settings whose value is a command line that a shell reads. */
const COMMANDS = [
  /^core\.(?:pager|editor|sshcommand|askpass|gitproxy)$/,
  /^pager\./,
  /^sequence\.editor$/,
  /^diff\.(?:external|.+\.(?:command|textconv))$/,
  /^merge\..+\.driver$/,
  /^filter\..+\.(?:clean|smudge|process)$/,
  /^(?:diff|merge)tool\..+\.(?:cmd|path)$/,
  /^(?:browser|man)\..+\.(?:cmd|path)$/,
  /^gpg\.(?:program|.+\.program|ssh\.defaultkeycommand)$/,
  /^credential\.(?:helper|.+\.helper)$/,
  /^uploadpack\.packobjectshook$/,
  /^remote\..+\.(?:uploadpack|receivepack)$/,
  /^sendemail\.(?:.+\.)?(?:smtpserver|sendmailcmd|tocmd|cccmd|headercmd)$/,
  /^trailer\..+\.(?:cmd|command)$/,
  /^interactive\.difffilter$/,
  /^instaweb\.(?:httpd|browser)$/,
  /^tar\..+\.command$/,
  /^submodule\..+\.update$/,
  /^web\.browser$/,
  /^imap\.tunnel$/,
];

/** Settings that run nothing, whatever their value. */
const HARMLESS = [
  /^user\.(?:name|email|signingkey|useconfigonly)$/,
  /^(?:author|committer)\.(?:name|email)$/,
  /^color\./,
  /^advice\./,
  /^column\./,
  /^log\./,
  /^format\.pretty$/,
  /^status\./,
  /^blame\./,
  /^branch\./,
  /^pack\./,
  /^gc\./,
  /^feature\./,
  /^core\.(?:quotepath|autocrlf|eol|safecrlf|abbrev|filemode|ignorecase|longpaths|symlinks|compression|bigfilethreshold|precomposeunicode|untrackedcache|preloadindex|commentchar|whitespace|excludesfile|sparsecheckout|bare)$/,
  /^(?:commit|tag|push)\.(?:gpgsign|verbose|status|sort|default|autosetupremote|followtags)$/,
  /^(?:pull|rebase)\.(?:rebase|ff|autostash|autosquash|updaterefs|stat)$/,
  /^init\.defaultbranch$/,
  /^(?:merge|diff)\.(?:ff|conflictstyle|renames|renamelimit|algorithm|noprefix|mnemonicprefix|colormoved|context|stat|submodule|wserrorhighlight|tool|guitool)$/,
  /^fetch\.(?:prune|prunetags|parallel|recursesubmodules|writecommitgraph)$/,
  /^http\.(?:version|postbuffer|lowspeedlimit|lowspeedtime|sslverify|extraheader|useragent|proxy|maxrequests|.+\.extraheader)$/,
  /^protocol\.version$/,
  /^submodule\.(?:recurse|fetchjobs)$/,
  /^rerere\./,
  /^help\.autocorrect$/,
  /^safe\.directory$/,
  /^grep\./,
  /^worktree\./,
  /^checkout\./,
  /^clone\.defaultremotename$/,
  /^remote\..+\.(?:prune|tagopt|fetch|push|mirror|skip.*)$/,
  /^maintenance\.auto$/,
  /^credential\.(?:username|usehttppath)$/,
  /^lfs\.(?:.+\.)?locksverify$/,
];

/** Notes what setting a value of git's configuration can run. */
export function noteSetting(
  walk: Walk,
  key: string | undefined,
  value: ShellWord | undefined,
  {position, text}: {position: Position; text: string},
): void {
  if (key === undefined) return doubt(walk, 'Which setting of git it changes is decided while it runs.', text);
  // Sections and names are the same in any case; what is between is not.
  const name = key.toLowerCase();
  if (HARMLESS.some((pattern) => pattern.test(name)) || switchesOff(name, value?.value)) return;
  const there = {...position, via: [...position.via, `git ${key}`]};
  if (value && /^alias\./.test(name)) runAlias(walk, value, there);
  else if (value && COMMANDS.some((pattern) => pattern.test(name))) runWordAsText(walk, withoutMark(value), there);
  else doubt(walk, `${key} may change what git runs.`, text);
}

function switchesOff(name: string, value: string | undefined): boolean {
  if (value === undefined || value === '') return value === '';
  return /^(?:false|no|off|\/dev\/null)$/.test(value) && /^core\.(?:fsmonitor|hookspath)$/.test(name);
}

/** A command without the `!` in front. */
function withoutMark(word: ShellWord): ShellWord {
  return word.value === undefined ? word : {...word, value: word.value.replace(/^!/, '')};
}

/** Without `!` in front, an alias is another command of git. */
function runAlias(walk: Walk, value: ShellWord, position: Position): void {
  if (value.value === undefined || value.value.startsWith('!'))
    runWordAsText(walk, {...value, value: value.value?.slice(1)}, position);
  else
    walk.run(
      [
        plainWord('git'),
        ...value.value
          .split(/\s+/)
          .filter(Boolean)
          .map((part) => plainWord(part)),
      ],
      position,
      `git ${value.value}`,
    );
}
