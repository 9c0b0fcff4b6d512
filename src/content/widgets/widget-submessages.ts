/** What is attached to a message: first which widget it is, then what people did with it. */
export interface WidgetSubmessage {
  readonly id: number;
  readonly senderId: number;
  readonly type: string;
  /** JSON text. */
  readonly content: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** What someone did, as far as it is well-formed. `sender` is `canned` for what the message itself brought. */
export interface WidgetAction {
  readonly sender: number | 'canned';
  readonly data: JsonObject;
}

export interface ParsedWidget {
  readonly type: string;
  readonly extraData: JsonObject;
  /** In order. */
  readonly actions: readonly WidgetAction[];
}

/** The widget of a message; undefined when it has none, or when its first part is not from the message's sender. */
export function parseWidget(
  parts: readonly WidgetSubmessage[],
  messageSenderId: number,
): ParsedWidget | undefined {
  const [first, ...rest] = [...parts].sort((a, b) => a.id - b.id);
  if (first === undefined || first.senderId !== messageSenderId || first.type !== 'widget') return undefined;
  const start = parsed(first.content);
  const type = start?.widget_type;
  if (start === undefined || typeof type !== 'string') return undefined;
  const deeds: WidgetAction[] = [];
  for (const part of rest) {
    const data = part.type === 'widget' ? parsed(part.content) : undefined;
    if (data !== undefined) deeds.push({sender: part.senderId, data});
  }
  return {type, extraData: asJsonObject(start.extra_data) ?? {}, actions: deeds};
}

/** `poll`, `todo`, or what this program does not know; then the message's text says what there is to say. */
export function widgetType(parts: readonly WidgetSubmessage[], messageSenderId: number): string | undefined {
  return parseWidget(parts, messageSenderId)?.type;
}

function parsed(content: string): JsonObject | undefined {
  try {
    return asJsonObject(JSON.parse(content));
  } catch {
    return undefined;
  }
}

export function asJsonObject(value: unknown): JsonObject | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  // A plain object out of JSON.
  return value as JsonObject;
}

/** Numbers that someone gives to what they add. */
export function isWidgetIndex(value: unknown): value is number {
  return Number.isInteger(value) && typeof value === 'number' && value >= 0 && value <= maxWidgetIndex;
}

export const maxWidgetIndex = 1000;
