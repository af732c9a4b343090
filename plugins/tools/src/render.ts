import type {ApprovalChoice, JSONSchema, Preview, ToolResult, Touch} from '@gemini-kernel/kernel';
import type {Style} from '@gemini-kernel/command';

export type Paint = (style: Style, text: string) => string;

/** The result of a call, as text for a terminal or a pipe. */
export function renderResult({model}: ToolResult): string {
  if (typeof model === 'string') return model;
  return model
    .map((part) =>
      'text' in part
        ? part.text
        : `[${part.inlineData.mimeType}, ${Math.floor((part.inlineData.data.length * 3) / 4)} bytes]`,
    )
    .join('\n');
}

/** The same for a script: what was read or printed, without what is said about it. */
export function contentOf(result: ToolResult): string {
  return result.plain ?? renderResult(result);
}

/** The touches of a call without a preview, one per line. */
export function renderTouches(touches: readonly Touch[]): string {
  return touches.map(({access, value}) => `${access} ${value}`).join('\n');
}

/** The rules that the answers would save, each once, and why others are not available. */
export function renderKept(choices: readonly ApprovalChoice[]): string {
  const rules = new Set(choices.flatMap(({keeps}) => keeps?.rules ?? []));
  const kept = [...rules].flatMap((text) => {
    const alike = choices.filter(({keeps}) => keeps?.rules === text);
    return [...alike.map(({label, description = ''}) => `${label} saves, ${description}:`), text.trimEnd()];
  });
  const refused = choices.flatMap(({label, unavailable}) =>
    unavailable === undefined ? [] : [`${label} is not available: ${unavailable}`],
  );
  return [...kept, ...refused].join('\n');
}

/** The preview for a person before approval. */
export function renderPreview(preview: Preview, paint: Paint): string {
  if (preview.kind === 'command') return `${paint('strong', preview.command)}\nin ${preview.directory}`;
  if (preview.kind === 'urls') return preview.urls.join('\n');
  if (preview.kind === 'text') return preview.text;
  return preview.diff
    .split('\n')
    .map((line) => paintDiffLine(line, paint))
    .join('\n');
}

function paintDiffLine(line: string, paint: Paint): string {
  if (line.startsWith('+++') || line.startsWith('---')) return paint('strong', line);
  if (line.startsWith('+')) return paint('good', line);
  if (line.startsWith('-')) return paint('bad', line);
  return line.startsWith('@@') ? paint('dim', line) : line;
}

/** The parameters of a tool, a line each. */
export function renderParameters(schema: JSONSchema, paint: Paint): readonly string[] {
  const properties = Object.entries(
    (schema['properties'] ?? {}) as Record<
      string,
      {readonly type?: unknown; readonly description?: string; readonly enum?: readonly unknown[]}
    >,
  );
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const width = Math.max(0, ...properties.map(([name]) => name.length));
  return properties.map(([name, {type = 'any', description = '', enum: values}]) => {
    const kind = values ? values.map((value) => JSON.stringify(value)).join(' | ') : [type].flat().join(' | ');
    const about = description ? `\n  ${' '.repeat(width)}  ${paint('dim', description)}` : '';
    return `  ${paint('strong', name.padEnd(width))}  ${kind}${required.has(name) ? ', required' : ''}${about}`;
  });
}
