import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {call, connect, createScene, say} from './scene.js';

test('a session has modes, and its options say the same [acp.modes]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {modes, configOptions} = await editor.open();
  expect(modes?.currentModeId).toBe('default');
  expect(modes?.availableModes.map(({id}) => id)).toEqual(['default', 'auto_edit', 'plan', 'yolo']);
  expect(configOptions?.map(({id, category, currentValue}) => ({id, category, currentValue}))).toEqual([
    {id: 'mode', category: 'mode', currentValue: 'default'},
    {id: 'model', category: 'model', currentValue: expect.any(String)},
    {id: 'thought_level', category: 'thought_level', currentValue: 'auto'},
  ]);
});

test.each([
  {given: 'auto_edit', is: 'auto_edit'},
  {given: 'autoEdit', is: 'auto_edit'},
  {given: 'plan', is: 'plan'},
])('set_mode $given changes what is asked, and is announced [acp.modes]', async ({given, is}) => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  await editor.agent.request('session/set_mode', {sessionId, modeId: given});
  expect(await editor.seen(sessionId, 'current_mode_update')).toMatchObject({currentModeId: is});
  const {configOptions} = await editor.seen(sessionId, 'config_option_update', ({configOptions: all}) =>
    all.some(({currentValue}) => currentValue === is),
  );
  expect(configOptions.map(({id}) => id)).toEqual(['mode', 'model', 'thought_level']);
  scene.model.script([call('w', 'write_file', {file_path: 'n.txt', content: 'n'}), say('ok')]);
  await editor.prompt(sessionId, 'go');
  expect(editor.asked).toEqual([]);
});

test('a mode that there is not, and one that is turned off, are refused [acp.modes]', async () => {
  await using scene = await createScene({
    'home/.gemini/settings.json': '{"security": {"disableYoloMode": true}, "general": {"plan": {"enabled": false}}}',
  });
  await using editor = await connect(scene);
  const {sessionId, modes} = await editor.open();
  expect(modes?.availableModes.map(({id}) => id)).toEqual(['default', 'auto_edit']);
  await expect(editor.agent.request('session/set_mode', {sessionId, modeId: 'loose'})).rejects.toMatchObject({
    code: -32602,
    data: {code: 'MODE_UNKNOWN'},
  });
  await expect(editor.agent.request('session/set_mode', {sessionId, modeId: 'yolo'})).rejects.toMatchObject({
    code: -32602,
    data: {code: 'YOLO_DISABLED'},
  });
});

test('the model is an option; providers fill the list later [acp.options]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  const {configOptions} = await editor.agent.request('session/set_config_option', {
    ...{sessionId, configId: 'model', value: 'gemini:gemini-2.5-flash'},
  });
  expect(configOptions.find(({id}) => id === 'model')).toMatchObject({currentValue: expect.stringContaining('flash')});
  scene.model.script([say('ok')]);
  await editor.prompt(sessionId, 'go');
  expect(scene.model.requests.at(-1)?.model).toContain('flash');
});

test('how much the model thinks is an option of models that obey it [acp.options]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  const set = async (configId: string, value: string) => {
    const {configOptions} = await editor.agent.request('session/set_config_option', {sessionId, configId, value});
    return configOptions.find(({id}) => id === 'thought_level');
  };
  expect(await set('model', 'gemini:gemini-2.5-pro')).toMatchObject({currentValue: 'auto'});
  const chosen = await set('thought_level', 'high');
  expect(chosen).toMatchObject({
    currentValue: 'high',
    options: ['auto', 'low', 'medium', 'high'].map((value) => ({value})),
  });
  const ask = async (): Promise<unknown> => {
    scene.model.script([say('ok')]);
    await editor.prompt(sessionId, 'go');
    return scene.model.requests.at(-1)?.config.thinkingBudget;
  };
  expect(await ask()).toBe(32_768);
  // One that cannot be asked for a level decides itself; the choice is there again with the next one that can.
  expect(await set('model', 'gemini:gemini-2.0-flash')).toBeUndefined();
  expect(await ask()).toBeUndefined();
  expect(await set('model', 'gemini:gemini-2.5-flash')).toMatchObject({currentValue: 'high'});
  expect(await ask()).toBe(24_576);
  expect(await set('thought_level', 'auto')).toMatchObject({currentValue: 'auto'});
  expect(await ask()).toBe(8192);
});

test.each([
  {title: 'a level of thinking that the model does not have', configId: 'thought_level', value: 'deep', code: -32602},
  {title: 'an option that there is not', configId: 'colour', value: 'red', code: -32602},
  {title: 'a value of another kind', configId: 'model', value: true, code: -32602},
  {title: 'a model that no provider has', configId: 'model', value: 'missing:nothing', code: -32602},
])('set_config_option refuses $title [acp.options]', async ({configId, value, code}) => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  const request = {
    sessionId,
    configId,
    ...(value === true ? {type: 'boolean' as const, value} : {value: String(value)}),
  };
  await expect(editor.agent.request('session/set_config_option', request)).rejects.toMatchObject({code});
});

test('commands are listed after the session is known, each under one word [acp.commands]', async () => {
  await using scene = await createScene({'project/.gemini/commands/greet.toml': 'prompt = "Greet {{args}}"\n'});
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  const {availableCommands} = await editor.seen(sessionId, 'available_commands_update');
  const names = availableCommands.map(({name}) => name);
  expect(names).toEqual(expect.arrayContaining(['greet', 'memory', 'stats', 'compress', 'mcp']));
  expect(names.filter((name) => /\s/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  for (const absent of ['resume', 'keys', 'quit', 'chat']) expect(names).not.toContain(absent);
  expect(availableCommands.find(({name}) => name === 'memory')?.input?.hint).toContain('show');
});

test('a command that a file adds later is announced [acp.commands]', async () => {
  await using scene = await createScene({'project/.gemini/commands/greet.toml': 'prompt = "Greet {{args}}"\n'});
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  await editor.seen(sessionId, 'available_commands_update');
  await writeFile(join(scene.project, '.gemini/commands/part.toml'), 'prompt = "Part"\n');
  await editor.prompt(sessionId, '/commands reload');
  const later = await editor.seen(sessionId, 'available_commands_update', ({availableCommands}) =>
    availableCommands.some(({name}) => name === 'part'),
  );
  expect(later.availableCommands.length).toBeGreaterThan(0);
});

test.each([
  {title: 'of a file becomes a prompt', line: '/greet Ada', sent: 'Greet Ada', said: 'Hello.'},
  {title: 'that there is not goes to the model as it is', line: '/nothing here', sent: '/nothing here', said: 'Hm.'},
])('a command $title [acp.commands]', async ({line, sent, said}) => {
  await using scene = await createScene({'project/.gemini/commands/greet.toml': 'prompt = "Greet {{args}}"\n'});
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  scene.model.script([say(said)]);
  expect(await editor.prompt(sessionId, line)).toMatchObject({stopReason: 'end_turn'});
  expect(JSON.stringify(scene.model.requests.at(-1)?.messages)).toContain(sent);
  expect(editor.text(sessionId)).toBe(said);
});

test('a command of a plugin prints into the answer, and no model is asked [acp.commands]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  expect(await editor.prompt(sessionId, '/directory show')).toMatchObject({stopReason: 'end_turn'});
  expect(editor.text(sessionId)).toContain(scene.project);
  expect(scene.model.requests).toEqual([]);
});

test('an error of a command is the error of its prompt [acp.commands]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  await expect(editor.prompt(sessionId, '/directory add /does/not/exist')).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining('/does/not/exist'),
  });
});

test('/clear begins again, and the editor keeps its session [acp.commands]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  scene.model.script([say('one'), say('two')]);
  await editor.prompt(sessionId, 'the first');
  await editor.prompt(sessionId, '/clear');
  await editor.prompt(sessionId, 'the second');
  expect(JSON.stringify(scene.model.requests.at(-1)?.messages)).not.toContain('the first');
  expect(editor.text(sessionId)).toContain('two');
});
