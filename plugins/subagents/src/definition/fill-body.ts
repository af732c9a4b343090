/** Fills in what is ours; any other `${…}`, such as that of a shell snippet, stays as it is. */
export function fillBody(body: string, values: Readonly<Record<string, string>>): string {
  return body.replace(/\$\{(\w+)\}/g, (all, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : all,
  );
}
