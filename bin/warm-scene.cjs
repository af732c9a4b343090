// @ts-check
'use strict';
// What `bin/warm.cjs` runs commands on: a home with one of each thing that a start reads, and a model on loopback.
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');

/** Nothing of the person who builds may reach the commands, a proxy included. */
const FOREIGN = /^(?:GEMINI_|GOOGLE_|XDG_)|_proxy$/i;

/** @param {string} name @param {string} body */
const withHead = (name, body) => `---\nname: ${name}\ndescription: Does a thing.\n---\n\n${body}\n`;

/** @type {Record<string, string>} */
const files = {
  'a.txt': 'a\n',
  'GEMINI.md': 'Be brief.\n',
  '.gemini/commands/group/do.toml': 'description = "Does."\nprompt = "Do {{args}}."\n',
  '.gemini/skills/do/SKILL.md': withHead('do', 'Do the thing.'),
  'extension/gemini-extension.json': JSON.stringify({name: 'warm', version: '1.0.0', contextFileName: 'CONTEXT.md'}),
  'extension/CONTEXT.md': 'Words of an extension.\n',
  'extension/commands/run.toml': 'prompt = "Run."\n',
  'extension/skills/run/SKILL.md': withHead('run', 'Run the thing.'),
};

const settings = {
  mcpServers: {warm: {command: process.execPath, args: [path.join(__dirname, 'warm-mcp.cjs')]}},
  hooks: {BeforeTool: [{matcher: 'none', hooks: [{type: 'command', command: 'true', name: 'warm'}]}]},
};

/** @param {string} folder */
function makeHome(folder) {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), {recursive: true});
    fs.writeFileSync(path.join(folder, name), text);
  }
  for (const name of Object.keys(process.env)) if (FOREIGN.test(name)) delete process.env[name];
  Object.assign(process.env, {HOME: folder, USERPROFILE: folder, OCLIF_DISABLE_ENGINE_WARNING: '1'});
}

/** The settings come later, so that the commands before run without a server. @param {string} folder */
function writeSettings(folder) {
  fs.writeFileSync(path.join(folder, '.gemini', 'settings.json'), JSON.stringify(settings));
}

/** Answers every request as the Gemini API ends one. @returns {Promise<{close: () => void}>} */
async function startModel() {
  const answer = {candidates: [{content: {role: 'model', parts: [{text: 'Done.'}]}, finishReason: 'STOP', index: 0}]};
  const server = http.createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, {'content-type': 'text/event-stream'});
      response.end(`data: ${JSON.stringify(answer)}\r\n\r\n`);
    });
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(undefined));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The model has no port.');
  Object.assign(process.env, {GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${address.port}`});
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return {close};
}

module.exports = {makeHome, startModel, writeSettings};
