// Installs real extensions and skills into empty homes, and uses each in one conversation with a scripted model:
// npm run reference-public -- <folder>
// The folder has `extensions/<name>` and `skills/<name>`, copies of public repositories. Prints tables in Markdown.
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {callsTools, openAgentPlace, says, type AgentPlace} from '../helpers/run-agent.js';

interface Brought {
  readonly name: string;
  readonly brings: {
    readonly contextFiles: readonly string[];
    readonly servers: readonly unknown[];
    readonly commands: readonly string[];
    readonly skills: readonly string[];
    readonly hooks: readonly unknown[];
    readonly unused: readonly string[];
  };
}

interface SkillRow {
  readonly name: string;
  readonly file: string;
  readonly owner?: string;
}

/** What is read of a text to know it again in a request: its longest line. */
function markOf(text: string): string {
  const [, body = text] = /^---\n[\s\S]*?\n---\n([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n')) ?? [];
  const lines = body.split('\n').filter((line) => !/[{}<>!]/.test(line));
  return JSON.stringify(
    lines
      .sort((a, b) => b.length - a.length)[0]
      ?.trim()
      .slice(0, 80) ?? '',
  ).slice(1, -1);
}

async function list<T>(place: AgentPlace, words: readonly string[]): Promise<T> {
  const {stdout, stderr, code} = await place.run([...words, '--json']);
  if (code !== 0) throw new Error(`gemini ${words.join(' ')}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

function firstLine(text: string): string {
  const [, settings] = /has no value for (.*?)\. Set it/.exec(text) ?? [];
  if (settings !== undefined) return `needs ${settings.split(', ').length} settings`;
  return (text.trim().split('\n')[0] ?? '').replaceAll('|', '\\|').slice(0, 160);
}

/** Activates a skill in a conversation; gives what is wrong. */
async function useSkill(place: AgentPlace, name: string, body: string): Promise<string | undefined> {
  const {report, stderr} = await place.ask(['--approval-mode', 'yolo', '-p', `Follow ${name}.`]);
  if (report.error) return firstLine(report.error.message);
  const last = JSON.stringify(place.server.requests.at(-1)?.messages);
  return last.includes(markOf(body)) ? undefined : `the model did not get its text. ${firstLine(stderr)}`;
}

function activate(name: string): readonly ScriptedAnswer[] {
  return [callsTools(['activate_skill', {name}]), says('Done.')];
}

async function tryExtension(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'gemini-extension.json'), 'utf8')) as {name: string};
  await using place = await openAgentPlace({script: []});
  const {code, stderr} = await place.run(['extensions', 'install', folder, '--consent']);
  if (code !== 0) return `| ${manifest.name} | no | | ${firstLine(stderr)} |`;
  const {extensions} = await list<{extensions: readonly Brought[]}>(place, ['extensions', 'list']);
  const brings = extensions[0]?.brings;
  if (!brings) return `| ${manifest.name} | no | | it is not listed |`;
  const {skills} = await list<{skills: readonly SkillRow[]}>(place, ['skills', 'list']);
  const {commands} = await list<{commands: readonly unknown[]}>(place, ['commands', 'list']);
  const own = skills.filter(({owner}) => owner === manifest.name);
  const faults = [
    ...(own.length === brings.skills.length ? [] : [`${own.length} of ${brings.skills.length} skills are listed`]),
    ...(commands.length === brings.commands.length ? [] : [`${commands.length} commands are listed`]),
    ...(await converseWith(place, brings, own[0])),
    ...(brings.unused.length > 0 ? [`not used: ${brings.unused.join(', ')}`] : []),
  ];
  const {contextFiles, servers, hooks} = brings;
  const counts = Object.entries({context: contextFiles, servers, commands: brings.commands, skills: own, hooks})
    .filter(([, {length}]) => length > 0)
    .map(([word, {length}]) => `${word} ${length}`);
  return `| ${manifest.name} | ${counts.join(', ')} | ${brings.commands[0] ?? ''} | ${faults.join('; ') || 'all'} |`;
}

/** One conversation with an extension: a command of it, a skill of it, its context. Gives what is wrong. */
async function converseWith(
  place: AgentPlace,
  {commands: [command], contextFiles}: Brought['brings'],
  skill: SkillRow | undefined,
): Promise<readonly string[]> {
  place.server.script(skill ? activate(skill.name) : [says('Done.')]);
  const prompt = command === undefined ? 'Hello.' : `/${command} please`;
  const {report} = await place.ask(['--approval-mode', 'yolo', '-p', prompt]);
  const request = JSON.stringify(place.server.requests.at(-1)?.messages ?? '');
  const has = async (file: string): Promise<boolean> => request.includes(markOf(await readFile(file, 'utf8')));
  const faults = [...(report.error ? [report.error.message] : []), ...(report.warnings ?? [])].map(firstLine);
  for (const file of contextFiles) if (!(await has(file))) faults.push('the model did not get its context');
  if (skill && !(await has(skill.file))) faults.push(`the model did not get the skill ${skill.name}`);
  return faults;
}

async function trySkill(folder: string, name: string): Promise<string> {
  const body = await readFile(join(folder, 'SKILL.md'), 'utf8');
  await using place = await openAgentPlace({script: activate(name)});
  const {code, stderr} = await place.run(['skills', 'install', folder, '--consent']);
  if (code !== 0) return `| ${name} | no | ${firstLine(stderr)} |`;
  const fault = await useSkill(place, name, body);
  const check = await place.run(['skills', 'check', folder]);
  return `| ${name} | yes | ${fault ?? 'used'} | ${check.code === 0 ? 'no fault' : firstLine(check.stdout || check.stderr)} |`;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Usage: npm run reference-public -- <folder with extensions/ and skills/>');
  process.exit(2);
}
console.log('| extension | brings | command used | result |\n|---|---|---|---|');
for (const name of (await readdir(join(folder, 'extensions'))).sort())
  console.log(await tryExtension(join(folder, 'extensions', name)));
console.log('\n| skill | installed | conversation | check |\n|---|---|---|---|');
for (const name of (await readdir(join(folder, 'skills'))).sort())
  console.log(await trySkill(join(folder, 'skills', name), name));
