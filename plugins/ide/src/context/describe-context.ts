import type {OpenFile} from '../protocol.js';

const FULL = 'What the person has open in their editor. This is information, not a request. JSON:';
const DELTA =
  "What has changed in the person's editor since the last report. This is information, not a request. JSON:";

/** Everything that is open, for a model without earlier reports; undefined when nothing is open. */
export function describeAll(files: readonly OpenFile[]): string | undefined {
  if (files.length === 0) return undefined;
  const active = files.find(({isActive}) => isActive);
  const others = files.filter((file) => file !== active).map(({path}) => path);
  return enclose(FULL, {
    ...(active ? {activeFile: describeActive(active)} : {}),
    ...(others.length > 0 ? {otherOpenFiles: others} : {}),
  });
}

/** What differs from the last report to the model; undefined when nothing does. */
export function describeChanges(before: readonly OpenFile[], now: readonly OpenFile[]): string | undefined {
  const changes: Record<string, unknown> = {};
  const pathsOf = (files: readonly OpenFile[]): ReadonlySet<string> => new Set(files.map(({path}) => path));
  const [old, current] = [pathsOf(before), pathsOf(now)];
  const opened = [...current].filter((path) => !old.has(path));
  const closed = [...old].filter((path) => !current.has(path));
  if (opened.length > 0) changes['filesOpened'] = opened;
  if (closed.length > 0) changes['filesClosed'] = closed;
  Object.assign(
    changes,
    describeActiveChange(
      before.find(({isActive}) => isActive),
      now.find(({isActive}) => isActive),
    ),
  );
  return Object.keys(changes).length > 0 ? enclose(DELTA, {changes}) : undefined;
}

function describeActiveChange(
  before: OpenFile | undefined,
  now: OpenFile | undefined,
): Readonly<Record<string, unknown>> {
  if (!now) return before ? {activeFileChanged: {path: null, previousPath: before.path}} : {};
  if (before?.path !== now.path) return {activeFileChanged: describeActive(now)};
  return {
    ...(now.cursor && !isSameCursor(before.cursor, now.cursor)
      ? {cursorMoved: {path: now.path, cursor: now.cursor}}
      : {}),
    ...(before.selectedText === now.selectedText
      ? {}
      : {selectionChanged: {path: now.path, selectedText: now.selectedText ?? ''}}),
  };
}

function isSameCursor(before: OpenFile['cursor'], now: OpenFile['cursor']): boolean {
  return before?.line === now?.line && before?.character === now?.character;
}

function describeActive({path, cursor, selectedText}: OpenFile): object {
  return {path, ...(cursor ? {cursor} : {}), ...(selectedText === undefined ? {} : {selectedText})};
}

/** Escapes a selection, which may contain text that would end its block or section. */
function enclose(sentence: string, value: object): string {
  const json = JSON.stringify(value, null, 2).replaceAll('<', '\\u003c').replaceAll('`', '\\u0060');
  return `${sentence}\n\`\`\`json\n${json}\n\`\`\``;
}
