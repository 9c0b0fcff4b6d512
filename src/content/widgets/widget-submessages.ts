/** What is attached to a message: first which widget it is, then what people did with it. */
export interface WidgetPart {
  readonly id: number;
  readonly senderId: number;
  readonly type: string;
  /** JSON text. */
  readonly content: string;
}

type Data = Readonly<Record<string, unknown>>;

/** What someone did, as far as it is well-formed. `sender` is `canned` for what the message itself brought. */
export interface WidgetDeed {
  readonly sender: number | 'canned';
  readonly data: Data;
}

export interface WidgetStart {
  readonly type: string;
  readonly extraData: Data;
  /** In order. */
  readonly deeds: readonly WidgetDeed[];
}

/** The widget of a message; undefined when it has none, or when its first part is not from the message's sender. */
export function widgetStart(parts: readonly WidgetPart[], messageSenderId: number): WidgetStart | undefined {
  const [first, ...rest] = [...parts].sort((a, b) => a.id - b.id);
  if (first === undefined || first.senderId !== messageSenderId || first.type !== 'widget') return undefined;
  const start = parsed(first.content);
  const type = start?.widget_type;
  if (start === undefined || typeof type !== 'string') return undefined;
  const deeds: WidgetDeed[] = [];
  for (const part of rest) {
    const data = part.type === 'widget' ? parsed(part.content) : undefined;
    if (data !== undefined) deeds.push({sender: part.senderId, data});
  }
  return {type, extraData: record(start.extra_data) ?? {}, deeds};
}

/** `poll`, `todo`, or what this program does not know; then the message's text says what there is to say. */
export function widgetType(parts: readonly WidgetPart[], messageSenderId: number): string | undefined {
  return widgetStart(parts, messageSenderId)?.type;
}

function parsed(content: string): Data | undefined {
  try {
    return record(JSON.parse(content));
  } catch {
    return undefined;
  }
}

export function record(value: unknown): Data | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  // A plain object out of JSON.
  return value as Data;
}

/** Numbers that someone gives to what they add. */
export function isIndex(value: unknown): value is number {
  return Number.isInteger(value) && typeof value === 'number' && value >= 0 && value <= highestIndex;
}

export const highestIndex = 1000;
