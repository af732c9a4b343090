import {defineTool, isToolError, type Part, type ToolResult} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {Buffers, Workspace} from '@gemini-kernel/plugin-workspace/contract';
import {withBuffer} from '../buffered.js';
import type {Versions} from '../contract.js';
import {LEGACY_ENCODING} from '../encoding.js';
import {readContent, type TextContent} from '../file-content.js';
import {ignoreOptions, ignoreOptionsSchema} from '../ignore-options.js';
import {findMatchingFiles, type FileSearch, type FoundFile, type SkippedFile} from '../matching-files.js';
import {openFile, READ_LIMIT, sizeOf} from '../opened-file.js';

interface ReadManyInput {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  readonly recursive?: boolean;
  readonly useDefaultExcludes?: boolean;
  readonly file_filtering_options?: {respect_git_ignore?: boolean; respect_gemini_ignore?: boolean};
}

export default defineTool({
  name: 'read_many_files',
  description:
    'Reads all files that glob patterns or paths match, from every directory of the workspace, each ' +
    'under its own heading and within the limits of read_file. ' +
    ('Images, PDF, audio and video are included only when a pattern names their extension or name. Lists ' +
      'the files that were left out, and why.'),
  effect: 'read',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['include'],
    properties: {
      include: {
        type: 'array',
        items: {type: 'string', minLength: 1},
        minItems: 1,
        description: 'Glob patterns or paths, such as "src/**/*.ts" or "README.md".',
      },
      exclude: {
        type: 'array',
        items: {type: 'string', minLength: 1},
        description: 'Glob patterns of files to leave out.',
      },
      recursive: {
        type: 'boolean',
        default: true,
        description: 'False: only files directly in the directories that the patterns name.',
      },
      useDefaultExcludes: {
        type: 'boolean',
        default: true,
        description: 'Leave out dependencies, build output, archives and other binary files.',
      },
      file_filtering_options: ignoreOptionsSchema,
    },
  },
  async touches(input, {service, signal}) {
    const {files} = await findMatchingFiles(searchOf(input), await service('workspace'), signal);
    return files.map(({path}) => ({kind: 'path', value: path, access: 'read'}));
  },
  async run(input, {call, service, signal, progress}) {
    const workspace = await service('workspace');
    const found = await findMatchingFiles(searchOf(input), workspace, signal);
    const judged = new Set(call.touches.map(({value}) => value));
    const reader = new Reader({
      workspace,
      versions: await service('versions'),
      buffers: await service('buffers'),
      signal,
      legacy: async () => (await service('settings')).get(LEGACY_ENCODING),
    });
    const wanted = found.files.filter(({path}) => judged.has(path));
    for (const [index, file] of wanted.entries()) {
      progress({text: file.path, done: index, total: wanted.length});
      await reader.read(file);
    }
    return reader.result(found.skipped);
  },
});

function searchOf({
  include,
  exclude = [],
  recursive = true,
  useDefaultExcludes = true,
  file_filtering_options,
}: ReadManyInput): FileSearch {
  return {include, exclude, recursive, useDefaultExcludes, ignore: ignoreOptions(file_filtering_options)};
}

/** Reads one file after the other into the output for the model. */
class Reader {
  readonly #context: {
    readonly workspace: Workspace;
    readonly versions: Versions;
    readonly buffers: Buffers;
    readonly signal: AbortSignal;
    readonly legacy: () => Promise<unknown>;
  };
  readonly #parts: Part[] = [];
  readonly #read: {path: string; truncated: boolean}[] = [];
  readonly #skipped: SkippedFile[] = [];
  #room = READ_LIMIT;

  constructor(context: {
    workspace: Workspace;
    versions: Versions;
    buffers: Buffers;
    signal: AbortSignal;
    legacy: () => Promise<unknown>;
  }) {
    this.#context = context;
  }

  async read(found: FoundFile): Promise<void> {
    try {
      await this.#take(found);
    } catch (error) {
      if (!isToolError(error)) throw error;
      this.#skipped.push({path: found.path, reason: error.message});
    }
  }

  async #take({path, isNamed}: FoundFile): Promise<void> {
    const {workspace, versions, buffers, signal, legacy} = this.#context;
    const opened = await openFile(path, workspace);
    try {
      const file = await withBuffer(opened, {buffers, signal});
      if (sizeOf(file) > this.#room) {
        this.#skipped.push({path, reason: 'beyond the limit of 20 MB for one call'});
        return;
      }
      const {content, version} = await readContent(file, {signal, legacy});
      if (content.kind === 'binary' || (content.kind === 'media' && !isNamed)) {
        this.#skipped.push({
          path,
          reason: content.kind === 'binary' ? 'binary' : `${content.mimeType} that no pattern names`,
        });
        return;
      }
      this.#room -= sizeOf(file);
      await versions.remember(path, version);
      this.#read.push({path, truncated: content.kind === 'text' && content.truncated});
      this.#parts.push({text: `--- ${path} ---\n\n`});
      if (content.kind === 'media') this.#parts.push({inlineData: {mimeType: content.mimeType, data: content.data}});
      else this.#parts.push({text: `${warningOf(content)}${content.text}\n\n`});
    } finally {
      await opened.handle.close();
    }
  }

  result(before: readonly SkippedFile[]): ToolResult {
    const skipped = [...before, ...this.#skipped];
    const files = this.#read;
    const note =
      skipped.length === 0
        ? ''
        : `Left out ${skipped.length} files:\n${skipped
            .slice(0, 50)
            .map(({path, reason}) => `- ${path}: ${reason}`)
            .join('\n')}${skipped.length > 50 ? '\n- and further ones' : ''}`;
    const display = `${files.length} files read${skipped.length === 0 ? '' : `, ${skipped.length} left out`}`;
    const data = {files, skipped};
    if (files.length === 0)
      return {model: `No files were read for these patterns.${note === '' ? '' : `\n${note}`}`, display, data};
    const parts = joinTexts([...this.#parts, {text: `--- End of content ---${note === '' ? '' : `\n${note}`}`}]);
    const [only] = parts;
    return {model: parts.length === 1 && only !== undefined && 'text' in only ? only.text : parts, display, data};
  }
}

function warningOf({truncated, firstLine, lastLine, totalLines}: TextContent): string {
  if (!truncated) return '';
  const of = totalLines === undefined ? '' : ` of ${totalLines}`;
  return `[WARNING: only lines ${firstLine}-${lastLine}${of} follow; continue with read_file.]\n`;
}

function joinTexts(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if ('text' in part && last !== undefined && 'text' in last)
      joined[joined.length - 1] = {text: last.text + part.text};
    else joined.push(part);
  }
  return joined;
}
