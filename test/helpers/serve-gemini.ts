import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {readFile} from 'node:fs/promises';
import {startGeminiServer} from './gemini-server.js';

// node test/dist/helpers/serve-gemini.js script.json [--repeat]: a scripted Gemini API as a process of its own. The
// script is a list of answers; with --repeat the last one is given again and again. Its first line says {"url",
// "port"}; each line on standard input makes it say {"requests", "faults"}: the bodies so far and what was wrong. It
// ends with standard input.
const [path = '', option] = process.argv.slice(2);
const answers = JSON.parse(await readFile(path, 'utf8')) as ScriptedAnswer[];
const missing: ScriptedAnswer = {refusal: {status: 500, message: 'The script has no more answers.'}};
const server = await startGeminiServer({
  script: (_, index) => answers[index] ?? (option === '--repeat' ? answers.at(-1) : undefined) ?? missing,
});
const say = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
say({url: server.url, port: Number(new URL(server.url).port)});
process.stdin.on('data', () => say({requests: server.requests.map(({body}) => body), faults: server.faults}));
process.stdin.on('end', () => void server.close());
