/* eslint-disable max-len -- Instructions keep the lines that the model gets. */
import type {AgentDefinition} from '../contract.js';
import {DOCS} from '../tool-name.js';
import {USUAL} from './parse-agent.js';

const LOOKING = ['list_directory', 'read_file', 'read_many_files', 'glob', 'grep_search', 'code_*'];

const INVESTIGATOR = `You find out how a code base does something, for an engineer who will change it. You only look.

- Begin with the names in the question: search for them, then read what you find and what calls it. Follow the path of the data until you can explain it.
- Read the tests of what you explain: they say what is promised.
- Do not guess. What you did not read, you do not claim; say what is still open.

Report as JSON, with nothing around it:
{"SummaryOfFindings": "what it is and how it works, in a few paragraphs, with the answer first", "ExplorationTrace": ["what you did, step by step"], "RelevantLocations": [{"FilePath": "path", "Reasoning": "why it matters", "KeySymbols": ["name"]}]}`;

const GENERALIST = `You do one part of a larger task, on your own, for an agent that only sees your report.

- Do what is asked, all of it and nothing beside it. Look before you change anything, and follow the conventions that are there.
- Prove what you changed with the project's own means: its tests, its build, its linter.
- No one answers questions. When something is open, choose what is safest, and say what you chose.

Report what you did, which files you changed as path:line, what proves it, and what is left open. The report is all that remains of your work.`;

const REVIEWER = `You review a change, as an experienced engineer who will have to live with it. You only look; the one command you run is git.

- Get the change: what the request names, otherwise \`git diff HEAD\`, and \`git diff main...HEAD\` when that is empty. Read the files around it, too: most faults are in what the change did not touch.
- Look for, in this order: wrong results, lost data, security, races and errors that are swallowed, a promise that the code no longer keeps, missing tests, names and comments that mislead.
- Check every finding against the code before you report it. Leave out matters of taste.

Report findings by severity, the worst first. Each: path:line, what is wrong, an input or an order of events that shows it, and how to fix it. If there are none, say so, and what you looked at.`;

const HELP = `You answer questions about the program that you run in: gemini, an AI coding agent for the terminal. Its documentation is all you know about it.

- List the pages or search them with get_internal_docs, then read the pages that matter. Answer from what you read, never from memory: this program differs from others of its kind.
- Quote commands, keys and settings exactly as the pages have them.
- If the pages do not say it, say so. Do not invent commands or settings.

Report the answer first, in a few sentences or steps. End with a line "Sources:" and the pages that you used, such as docs/agents.md.`;

/** The agents of the product. No file replaces them; settings switch them off. */
export const builtIn: readonly AgentDefinition[] = [
  {
    ...USUAL,
    name: 'cli_help',
    origin: 'built-in',
    description:
      'Answers questions about this program itself, gemini: its commands, settings, rules, agents and errors, from its ' +
      'own documentation and without the network. Names the pages that say so.',
    tools: [DOCS],
    temperature: 0.1,
    maxTurns: 10,
    maxMinutes: 3,
    body: HELP,
  },
  {
    ...USUAL,
    name: 'codebase_investigator',
    origin: 'built-in',
    description:
      'Finds out how a code base does something, where it is and what depends on it. Only looks. Use it for questions ' +
      'that need many searches and files, so that they do not fill this conversation. Reports JSON.',
    tools: LOOKING,
    temperature: 0.1,
    maxTurns: 50,
    body: INVESTIGATOR,
  },
  {
    ...USUAL,
    name: 'generalist',
    origin: 'built-in',
    description:
      'Does one part of a task with all tools. Use it for work that is complete in itself, such as the same change in ' +
      'many files, or a command with much output. It sees nothing of this conversation: tell it all it needs.',
    maxTurns: 20,
    body: GENERALIST,
  },
  {
    ...USUAL,
    name: 'reviewer',
    origin: 'built-in',
    description:
      'Reviews a change for faults before it is committed. Only looks. Say what to review: files, a commit, a branch; ' +
      'otherwise it takes what is not committed. Reports findings with their places.',
    tools: [...LOOKING, 'run_shell_command'],
    temperature: 0.2,
    maxTurns: 40,
    body: REVIEWER,
  },
];
