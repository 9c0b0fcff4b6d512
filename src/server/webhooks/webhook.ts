import type {RequestContext} from '#server/context.ts';

/** A request of another service, whose key belongs to `call.actor`. */
export interface WebhookRequest {
  readonly call: RequestContext;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bodyText: string;
  /** The `payload` field of a form. */
  readonly payloadField: string | undefined;
  /** The topic that the URL asks for. */
  readonly topic: string | undefined;
  /** The names of branches that the URL asks for, separated by commas. */
  readonly branches: string | undefined;
  readonly ignorePrivateRepositories: boolean;
}

export interface WebhookMessage {
  /** The topic if the URL does not have one. */
  readonly topic: string;
  readonly content: string;
  /** The kind of event, which the URL may ask for or exclude. */
  readonly event?: string;
}

/** A service that sends messages by webhook. */
export interface Webhook {
  /** The service's name in errors and in the name of the sending client. */
  readonly name: string;
  /** Returns undefined for a request that causes no message. */
  message(request: WebhookRequest): WebhookMessage | undefined;
}
