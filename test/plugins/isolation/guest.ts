import type {ToolEntry} from '@gemini-kernel/kernel/host';
import type {PluginParts} from '../../helpers/make-plugin.js';

export const NAME = 'gemini-plugin-guest';

export interface Done {
  readonly status: string;
  readonly result: {readonly model: string; readonly data: Readonly<Record<string, unknown>>};
}

function toolEntry(name: string): ToolEntry {
  return {
    name,
    description: 'Made for a test.',
    effect: 'read',
    annotations: {},
    input: {type: 'object'},
    module: `dist/${name}.js`,
  };
}

function toolCode(name: string, parts: string): string {
  return `import {defineTool, ToolError} from '@gemini-kernel/kernel';
import fs from 'node:fs';
import child from 'node:child_process';
export default defineTool({name: '${name}', effect: 'read', description: 'x', input: {type: 'object'}, ${parts}});\n`;
}

/** An installed plugin with tools, each as the parts of its definition. */
export function guest(tools: Readonly<Record<string, string>>, more: Partial<PluginParts> = {}): PluginParts {
  const {files, ...rest} = more;
  return {
    name: NAME,
    origin: 'user',
    tools: Object.keys(tools).map(toolEntry),
    ...rest,
    files: {
      ...Object.fromEntries(Object.entries(tools).map(([name, code]) => [`dist/${name}.js`, toolCode(name, code)])),
      ...files,
    },
  };
}
