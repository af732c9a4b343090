import {describe, expect, test} from '@jest/globals';
import {rankTools} from '#plugins/mcp/dist/offers/rank-tools.js';
import {foreign, scripted, startMcp, textOf} from './scene.js';

const tool = (name: string, description = ''): {readonly name: string; readonly description: string} => ({
  name,
  description,
});

describe('a search for tools', () => {
  const tools = [
    tool('mcp_github_createIssue', 'Opens a new issue.'),
    tool('mcp_github_list_issues', 'Lists issues of a repository.'),
    tool('mcp_mail_send', 'Sends a message to people.'),
    tool('mcp_disk_read', 'Reads a file of a repository.'),
  ];
  test.each([
    ['create an issue on github', ['mcp_github_createIssue', 'mcp_github_list_issues']],
    ['issue', ['mcp_github_createIssue', 'mcp_github_list_issues']],
    ['send mail', ['mcp_mail_send']],
    ['REPOSITORIES file', ['mcp_disk_read']],
    ['', []],
    ['?? --', []],
  ])('%j finds the best ones first [mcp.find]', (query, names) => {
    expect(rankTools(tools, query, 2).map(({name}) => name)).toEqual(names);
  });
});

test('many tools are found instead of listed, and stay for the session [mcp.find]', async () => {
  const servers = Object.fromEntries(Array.from({length: 4}, (_, index) => [`s${index}`, scripted('many=250')]));
  await using all = await startMcp(servers, {settings: {mcp: {toolLimit: 0}}});
  await using kernel = await startMcp(servers);
  const offered = async ({session}: typeof kernel): Promise<readonly string[]> =>
    (await session.offered()).map(({name}) => name);
  const size = async ({session}: typeof kernel): Promise<number> => JSON.stringify(await session.offered()).length;
  expect(await offered(all)).not.toContain('find_tools');
  expect(await offered(kernel)).toEqual(['find_tools']);
  expect((await size(kernel)) / (await size(all))).toBeLessThan(0.01);

  expect(textOf(await kernel.call('find_tools', {query: 'tool 17 of s2'}))).toContain('- mcp_s2_tool_17: One of many.');
  const found = await offered(kernel);
  expect(found).toContain('mcp_s2_tool_17');
  expect(found.length).toBeLessThanOrEqual(11);
  expect(await offered(kernel)).toEqual(found);
  // A name that the model knows from elsewhere works too.
  expect(textOf(await kernel.call('mcp_s0_echo', {text: 'hello'}))).toBe(foreign('hello'));
  expect(textOf(await kernel.call('find_tools', {query: 'xylophone'}))).toBe(
    'No tool matches "xylophone". Use other words.',
  );
  const other = kernel.kernel.open();
  expect((await other.offered()).map(({name}) => name)).toEqual(['find_tools']);
});

test('few tools are listed as they are [mcp.find]', async () => {
  await using kernel = await startMcp({one: scripted()}, {settings: {mcp: {toolLimit: 16}}});
  expect((await kernel.session.offered()).map(({name}) => name)).not.toContain('find_tools');
  await using fewer = await startMcp({one: scripted()}, {settings: {mcp: {toolLimit: 15}}});
  expect((await fewer.session.offered()).map(({name}) => name)).toEqual(['find_tools']);
});
