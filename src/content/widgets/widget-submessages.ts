import {isRecord, parsedJson} from '#std/parse-json.ts';

/** A submessage. The first of a message contains the kind of widget, the others the actions of users. */
export interface WidgetSubmessage {
  readonly id: number;
  readonly senderId: number;
  readonly type: string;
  /** JSON text. */
  readonly content: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** A user's action. `sender` is `canned` for the options or tasks of the message itself. */
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

/** Returns the widget of a message; undefined when it has none, or when its first submessage is not from its sender. */
export function parseWidget(parts: readonly WidgetSubmessage[], messageSenderId: number): ParsedWidget | undefined {
  const [first, ...rest] = [...parts].sort((a, b) => a.id - b.id);
  if (first === undefined || first.senderId !== messageSenderId || first.type !== 'widget') return undefined;
  const start = asJsonObject(parsedJson(first.content));
  const type = start?.widget_type;
  if (start === undefined || typeof type !== 'string') return undefined;
  const actions: WidgetAction[] = [];
  for (const part of rest) {
    const data = part.type === 'widget' ? asJsonObject(parsedJson(part.content)) : undefined;
    if (data !== undefined) actions.push({sender: part.senderId, data});
  }
  return {type, extraData: asJsonObject(start.extra_data) ?? {}, actions: actions};
}

/** Returns the kind of widget: `poll`, `todo`, or one that Parley does not know, for which the message's text is shown. */
export function widgetType(parts: readonly WidgetSubmessage[], messageSenderId: number): string | undefined {
  return parseWidget(parts, messageSenderId)?.type;
}

export function asJsonObject(value: unknown): JsonObject | undefined {
  return isRecord(value) ? value : undefined;
}

/** Returns whether a value is a valid index of an added option or task. */
export function isWidgetIndex(value: unknown): value is number {
  return Number.isInteger(value) && typeof value === 'number' && value >= 0 && value <= maxWidgetIndex;
}

export const maxWidgetIndex = 1000;
