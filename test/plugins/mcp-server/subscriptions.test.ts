import {rm, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {describe, expect, test} from '@jest/globals';
import type {Client} from '@modelcontextprotocol/client';
import {installPlugins} from '../../helpers/install-plugins.js';
import {scripted, until} from '../mcp/scene.js';
import {createScene, serve} from './scene.js';

/** The addresses that a client hears have changed. */
function updatesOf(client: Client): string[] {
  const updates: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({params}) => void updates.push(params.uri));
  return updates;
}

describe('a client', () => {
  test('hears when a file that it follows changes or goes, until it unsubscribes [serve.subscriptions]', async () => {
    await using scene = await createScene();
    await using running = await serve(scene, {});
    const {client} = running;
    const updates = updatesOf(client);
    const [a, b] = ['a.txt', 'b.txt'].map((name) => join(scene.project, name)) as [string, string];
    await writeFile(b, 'beta\n');
    const [followed, other] = [a, b].map((path) => pathToFileURL(path).href) as [string, string];
    await client.subscribeResource({uri: followed});
    await client.subscribeResource({uri: other});
    await writeFile(a, 'alpha, longer\n');
    await until(() => updates.length === 1);
    await rm(a);
    await until(() => updates.length === 2);
    await client.unsubscribeResource({uri: followed});
    await writeFile(a, 'back\n');
    await writeFile(b, 'beta, longer\n');
    await until(() => updates.includes(other));
    expect(updates).toEqual([followed, followed, other]);
  });

  test('cannot follow what it may not read, be it by a link [serve.subscriptions]', async () => {
    await using scene = await createScene();
    await using running = await serve(scene, {});
    const outside = join(scene.root, 'outside.txt');
    await writeFile(outside, 'secret\n');
    await symlink(outside, join(scene.project, 'link.txt'));
    for (const path of [outside, join(scene.project, 'link.txt'), join(scene.project, 'missing.txt')])
      await expect(running.client.subscribeResource({uri: pathToFileURL(path).href})).rejects.toThrow(
        'MCP_RESOURCE_UNREADABLE',
      );
  });

  test('follows a hundred resources at most [serve.subscriptions]', async () => {
    await using scene = await createScene();
    await installPlugins(scene.home, {present: ['mcp-conformance']});
    await using running = await serve(scene, {});
    const follow = (id: number) => running.client.subscribeResource({uri: `test://template/${id}/data`});
    await Promise.all(Array.from({length: 100}, (_, id) => follow(id)));
    await follow(7);
    await expect(follow(100)).rejects.toThrow('A client follows at most 100 resources, not test://template/100/data');
  });

  test('hears when a resource of a plugin changes [serve.subscriptions]', async () => {
    await using scene = await createScene();
    await installPlugins(scene.home, {present: ['mcp-conformance']});
    await using running = await serve(scene, {});
    const updates = updatesOf(running.client);
    await running.client.subscribeResource({uri: 'test://static-text'});
    await running.client.subscribeResource({uri: 'test://watched-resource'});
    await until(() => updates.length >= 2);
    expect(new Set(updates)).toEqual(new Set(['test://watched-resource']));
  });

  test('hears when there are other tools [serve.lists]', async () => {
    const settings = JSON.stringify({mcpServers: {one: scripted()}});
    await using scene = await createScene({'.gemini/settings.json': settings});
    await using running = await serve(scene, {args: ['--yolo', '--allowed-mcp-server-names', 'one']});
    const {client} = running;
    let isChanged = false;
    client.setNotificationHandler('notifications/tools/list_changed', () => void (isChanged = true));
    expect((await client.listTools()).tools.map(({name}) => name)).not.toContain('mcp_one_grown');
    await client.callTool({name: 'mcp_one_grow', arguments: {}});
    await until(() => isChanged);
    expect((await client.listTools()).tools.map(({name}) => name)).toContain('mcp_one_grown');
  });
});
