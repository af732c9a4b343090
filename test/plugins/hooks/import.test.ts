import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {readClaude} from '#plugins/hooks/dist/import/read-claude.js';
import {makeFolder} from '../../helpers/make-plugin.js';
import {answer, converse, hook, readNotes, startHooks} from './scene.js';

test('events, tools, times and choices of Claude Code become ours [hooking.import]', () => {
  const command = {type: 'command', command: 'x', timeout: 5};
  const made = {type: 'command', command: 'x', shape: 'claude', timeout: 5000};
  const {hooks, notes} = readClaude({
    hooks: {
      PreToolUse: [{matcher: 'Bash|Edit|mcp__git__.*', hooks: [command]}],
      SessionStart: [{matcher: 'startup|resume', hooks: [command]}],
      Stop: [{hooks: [command, {type: 'prompt', prompt: 'Is it done?'}]}],
      SubagentStop: [{hooks: [command]}],
    },
  });
  expect(hooks.map(({event, definition}) => [event, definition])).toEqual([
    ['BeforeTool', {matcher: 'run_shell_command|replace|mcp_git_.*', hooks: [made]}],
    ['SessionStart', {matcher: 'startup', hooks: [made]}],
    ['SessionStart', {matcher: 'resume', hooks: [made]}],
    ['AfterAgent', {hooks: [made]}],
  ]);
  expect(notes).toEqual([
    'A hook of Stop is not taken: its type is "prompt".',
    'Hooks of SubagentStop are not taken: gemini has no such event.',
  ]);
});

test('an imported hook reads and writes the JSON of Claude Code [hooking.import]', async () => {
  await using folder = await makeFolder();
  const note = join(folder.path, 'notes');
  const reply = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'not here',
      updatedInput: {start_line: 2},
    },
  };
  await using kernel = await startHooks({
    hooks: {BeforeTool: [{matcher: 'read_file', hooks: [hook(answer(reply, note), {shape: 'claude', name: 'guard'})]}]},
  });
  expect(await kernel.call('read_file', {file_path: 'a.txt'})).toMatchObject({
    status: 'refused',
    reason: 'not here (hook guard)',
  });
  expect(await readNotes(note)).toMatchObject([{hook_event_name: 'PreToolUse', tool_name: 'Read'}]);
});

test('text of an imported hook of UserPromptSubmit goes to the model [hooking.import]', async () => {
  const hooks = {BeforeAgent: [{hooks: [hook('echo It rains.', {shape: 'claude'})]}]};
  await using talk = await converse(hooks, [{pieces: [{kind: 'text', text: 'ok'}]}]);
  await talk.send('go');
  expect(JSON.stringify(talk.server.requests[0]?.messages)).toContain('<hook_context>\\nIt rains.\\n</hook_context>');
});
