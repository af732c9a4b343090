// Runs a command of gemini for the scripts of this skill: the program that this skill came with, else the one on PATH.
const {spawnSync} = require('node:child_process');
const {existsSync} = require('node:fs');
const {join} = require('node:path');

const own = join(__dirname, '..', '..', '..', '..', '..', 'bin', 'gemini.cjs');

/** Its exit code and what it printed. Ends this script when there is no gemini. */
exports.runGemini = (words) => {
  const [program, first] = existsSync(own) ? [process.execPath, [own]] : ['gemini', []];
  const ended = spawnSync(program, [...first, ...words], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
  if (ended.error) exports.fail(`gemini cannot be started: ${ended.error.message}`);
  return {code: ended.status ?? 1, stdout: ended.stdout, stderr: ended.stderr};
};

/** Ends this script with a sentence. */
exports.fail = (sentence) => {
  process.stderr.write(`Error: ${sentence}\n`);
  process.exit(1);
};

/** What `gemini skills check` finds wrong, and what could be better. */
exports.check = (folder) => {
  const {stdout, stderr} = exports.runGemini(['skills', 'check', '--json', '--', folder]);
  let answer;
  try {
    answer = JSON.parse(stdout);
  } catch {
    exports.fail(`The skill cannot be checked: ${stderr || stdout}`);
  }
  return answer.problems ?? exports.fail(`The skill cannot be checked: ${answer.error?.message ?? stdout}`);
};
