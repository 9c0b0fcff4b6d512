/** Returns only the fields that the schema names: responses contain more, but no events update the rest. */
export function pickFields(fields: object, names: readonly string[], prefixLength = 0): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) {
    const value: unknown = Reflect.get(fields, name);
    if (value !== undefined) picked[name.slice(prefixLength)] = value;
  }
  return picked;
}
