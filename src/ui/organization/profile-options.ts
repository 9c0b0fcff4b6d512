/** An option of a profile field whose values are chosen from a list. Users' values are keys. */
export interface ProfileOption {
  readonly key: string;
  readonly text: string;
}

type OptionData = Readonly<Record<string, {readonly text: string; readonly order: string}>>;

/** Reads the options of a field in their order; none when the data is something else. */
export function readOptions(fieldData: string | undefined): readonly ProfileOption[] {
  const entries = Object.entries(parsedObject(fieldData)).flatMap(([key, choice]) => {
    const [text, order]: unknown[] = [Reflect.get(Object(choice), 'text'), Reflect.get(Object(choice), 'order')];
    return typeof text === 'string' ? [{key, text, order: Number(order)}] : [];
  });
  return entries.sort((a, b) => a.order - b.order).map(({key, text}) => ({key, text}));
}

/** Reads the data of a field, which is an object as JSON; empty when there is none. */
export function parsedObject(fieldData: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(fieldData ?? '');
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
  } catch {
    return {};
  }
}

/**
 * Returns the options that the lines of a text mean. An option with the same text keeps its key; another text in the place of
 * an option that is gone renames it; all others are new.
 */
export function optionsFromText(text: string, before: readonly ProfileOption[]): readonly ProfileOption[] {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const byText = new Map(before.map((option) => [option.text, option.key]));
  const isGone = (option: ProfileOption | undefined) => option !== undefined && !lines.includes(option.text);
  let nextKey = Math.max(-1, ...before.map(({key}) => Number(key)).filter(Number.isFinite)) + 1;
  return lines.map((line, at): ProfileOption => {
    const renamed = before[at];
    const key = byText.get(line) ?? (isGone(renamed) ? renamed?.key : undefined) ?? String(nextKey++);
    return {key, text: line};
  });
}

export function optionData(options: readonly ProfileOption[]): OptionData {
  return Object.fromEntries(options.map(({key, text}, at) => [key, {text, order: String(at + 1)}]));
}

/** Returns what a change of the options means for users who have chosen one: `Renames Tea to Green tea · removes Milk`. */
export function optionChangeText(
  before: readonly ProfileOption[],
  after: readonly ProfileOption[],
): string | undefined {
  const textAfter = new Map(after.map(({key, text}) => [key, text]));
  const renames = before.flatMap(({key, text}) => {
    const now = textAfter.get(key);
    return now === undefined || now === text ? [] : [`renames ${text} to ${now}`];
  });
  const removed = before.filter(({key}) => !textAfter.has(key)).map(({text}) => text);
  const changes = [...renames, ...(removed.length === 0 ? [] : [`removes ${removed.join(', ')} from all profiles`])];
  const text = changes.join(' · ');
  return text === '' ? undefined : `${text[0]?.toUpperCase()}${text.slice(1)}`;
}

export function optionsProblem(options: readonly ProfileOption[]): string | undefined {
  if (options.length === 0) return 'Write at least one option';
  const texts = new Set(options.map(({text}) => text));
  return texts.size < options.length ? 'Two options are the same' : undefined;
}
