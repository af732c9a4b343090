import {expect, test} from '@jest/globals';
import {listPlugins, readBuiltManifest} from '../helpers/error-tables.js';

interface Property {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: {readonly type?: string};
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Property>>;
}

const filtering = {respect_git_ignore: 'boolean', respect_gemini_ignore: 'boolean'};

const tools = {
  ask_user: {effect: 'other', required: ['questions'], properties: {questions: 'object[]'}},
  code_diagnostics: {effect: 'read', required: ['path'], properties: {path: 'string'}},
  code_edit: {
    effect: 'edit',
    required: ['name', 'action'],
    properties: {
      name: 'string',
      action: 'replace | insert_before | insert_after | rename',
      text: 'string',
      new_name: 'string',
      path: 'string',
    },
  },
  code_find: {
    effect: 'search',
    required: ['name'],
    properties: {
      name: 'string',
      what: 'definitions | references | implementations',
      path: 'string',
      defined_in: 'string',
      max_results: 'integer',
    },
  },
  code_map: {effect: 'search', required: [], properties: {path: 'string', max_tokens: 'integer'}},
  code_outline: {effect: 'read', required: ['path'], properties: {path: 'string', max_tokens: 'integer'}},
  code_read: {effect: 'read', required: ['name'], properties: {name: 'string', path: 'string'}},
  enter_plan_mode: {effect: 'other', required: [], properties: {reason: 'string'}},
  exit_plan_mode: {effect: 'other', required: ['plan_filename'], properties: {plan_filename: 'string', plan: 'string'}},
  get_internal_docs: {effect: 'read', required: [], properties: {path: 'string', query: 'string'}},
  glob: {
    effect: 'search',
    required: ['pattern'],
    properties: {pattern: 'string', dir_path: 'string', case_sensitive: 'boolean', ...filtering},
  },
  google_web_search: {effect: 'fetch', required: ['query'], properties: {query: 'string'}},
  grep_search: {
    effect: 'search',
    required: ['pattern'],
    properties: {
      pattern: 'string',
      dir_path: 'string',
      include_pattern: 'string',
      exclude_pattern: 'string',
      names_only: 'boolean',
      max_matches_per_file: 'integer',
      total_max_matches: 'integer',
      case_sensitive: 'boolean',
      fixed_strings: 'boolean',
      context: 'integer',
      before: 'integer',
      after: 'integer',
      no_ignore: 'boolean',
    },
  },
  list_background_processes: {effect: 'read', required: [], properties: {}},
  list_directory: {
    effect: 'read',
    required: ['dir_path'],
    properties: {dir_path: 'string', ignore: 'string[]', file_filtering_options: filtering},
  },
  read_background_output: {
    effect: 'read',
    required: ['pid'],
    properties: {pid: 'integer', lines: 'integer', delay_ms: 'integer'},
  },
  read_file: {
    effect: 'read',
    required: ['file_path'],
    properties: {file_path: 'string', start_line: 'integer', end_line: 'integer'},
  },
  read_many_files: {
    effect: 'read',
    required: ['include'],
    properties: {
      include: 'string[]',
      exclude: 'string[]',
      recursive: 'boolean',
      useDefaultExcludes: 'boolean',
      file_filtering_options: filtering,
    },
  },
  replace: {
    effect: 'edit',
    required: ['file_path', 'instruction', 'old_string', 'new_string'],
    properties: {
      file_path: 'string',
      instruction: 'string',
      old_string: 'string',
      new_string: 'string',
      allow_multiple: 'boolean',
    },
  },
  run_shell_command: {
    effect: 'execute',
    required: ['command'],
    properties: {
      command: 'string',
      description: 'string',
      dir_path: 'string',
      is_background: 'boolean',
      delay_ms: 'integer',
      stdin: 'string',
      timeout_ms: 'integer',
      inactivity_timeout_ms: 'integer',
      interactive: 'boolean',
      additional_permissions: {
        hosts: 'string[]',
        network: 'boolean',
        fileSystem: {read: 'string[]', write: 'string[]'},
      },
    },
  },
  save_memory: {effect: 'edit', required: ['fact'], properties: {fact: 'string', scope: 'global | private | project'}},
  tracker_add_dependency: {
    effect: 'think',
    required: ['taskId', 'dependencyId'],
    properties: {taskId: 'string', dependencyId: 'string'},
  },
  tracker_create_task: {
    effect: 'think',
    required: ['title', 'description', 'type'],
    properties: {
      title: 'string',
      description: 'string',
      type: 'epic | task | bug',
      parentId: 'string',
      dependencies: 'string[]',
    },
  },
  tracker_get_task: {effect: 'think', required: ['id'], properties: {id: 'string'}},
  tracker_list_tasks: {
    effect: 'think',
    required: [],
    properties: {status: 'open | in_progress | blocked | closed', type: 'epic | task | bug', parentId: 'string'},
  },
  tracker_update_task: {
    effect: 'think',
    required: ['id'],
    properties: {
      id: 'string',
      title: 'string',
      description: 'string',
      status: 'open | in_progress | blocked | closed',
      dependencies: 'string[]',
    },
  },
  tracker_visualize: {effect: 'think', required: [], properties: {}},
  web_fetch: {effect: 'fetch', required: [], properties: {url: 'string', prompt: 'string', offset: 'integer'}},
  write_file: {
    effect: 'edit',
    required: ['file_path', 'content'],
    properties: {file_path: 'string', content: 'string'},
  },
  write_todos: {effect: 'think', required: ['todos'], properties: {todos: 'object[]'}},
};

function describeProperty({type = 'any', enum: values, items, properties}: Property): unknown {
  if (properties) return describeAll(properties);
  return values ? values.join(' | ') : type === 'array' ? `${items?.type ?? 'any'}[]` : type;
}

function describeAll(properties: Readonly<Record<string, Property>>): object {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, describeProperty(property)]));
}

async function readTools() {
  const manifests = await Promise.all((await listPlugins()).map(readBuiltManifest));
  return manifests.flatMap((manifest) => manifest.tools).sort((a, b) => (a.name < b.name ? -1 : 1));
}

test('these tools with these inputs are what models and rules know [surface.pinned]', async () => {
  const found = (await readTools()).map(({name, effect, input}) => {
    const {properties = {}, required = []} = input as {
      properties?: Record<string, Property>;
      required?: readonly string[];
    };
    return [name, {effect, required, properties: describeAll(properties)}];
  });
  expect(found).toEqual(Object.entries(tools));
});

test('every property of an input says what it is', async () => {
  const silent = (properties: Readonly<Record<string, Property>>, at: string): readonly string[] =>
    Object.entries(properties).flatMap(([name, property]) => [
      ...(property.description ? [] : [`${at}.${name}`]),
      ...silent(property.properties ?? {}, `${at}.${name}`),
    ]);
  expect(
    (await readTools()).flatMap(({name, input}) =>
      silent((input['properties'] ?? {}) as Record<string, Property>, name),
    ),
  ).toEqual([]);
});
