import type {Operator, operands} from '#wire/narrow.ts';

export interface SearchOperator {
  readonly operator: Operator;
  /** An example operand. */
  readonly example: string;
  /** A one-line description. */
  readonly about: string;
}

/** The search operators, in display order. */
export const searchOperators: readonly SearchOperator[] = [
  {operator: 'channel', example: 'design', about: 'messages in a channel'},
  {operator: 'topic', example: 'logo', about: 'messages in a topic'},
  {operator: 'sender', example: 'me', about: 'messages by a person; “me” is you'},
  {operator: 'dm', example: 'me', about: 'direct messages with exactly these people'},
  {operator: 'dm-including', example: 'me', about: 'direct messages that include a person'},
  {operator: 'is', example: 'unread', about: 'unread, starred, mentioned, followed, resolved …'},
  {operator: 'has', example: 'link', about: 'with a link, an image, an attachment or a reaction'},
  {operator: 'mentions', example: 'me', about: 'messages that mention a person'},
  {operator: 'channels', example: 'public', about: 'in all public channels, subscribed or not'},
  {operator: 'in', example: 'home', about: 'all messages, or all that are not muted'},
  {operator: 'near', example: '1', about: 'around a message, by its id'},
  {operator: 'id', example: '1', about: 'one message, by its id'},
  {operator: 'with', example: '1', about: 'the conversation of a message, by its id'},
];

type FixedOperands = typeof operands;
type OperandTexts = {readonly [O in keyof FixedOperands]: {readonly [W in keyof FixedOperands[O]]: string}};

const abouts: OperandTexts = {
  is: {
    dm: 'direct messages',
    starred: 'messages you starred',
    unread: 'messages you have not read',
    mentioned: 'messages that mention you',
    alerted: 'messages with one of your alert words',
    resolved: 'messages in resolved topics',
    followed: 'messages in topics you follow',
    muted: 'messages in muted topics and channels',
  },
  has: {
    attachment: 'messages with an uploaded file',
    image: 'messages with an image',
    link: 'messages with a link',
    reaction: 'messages with reactions',
  },
  in: {home: 'messages that are not muted', all: 'all messages, muted ones too'},
  channels: {
    public: 'all public channels',
    'web-public': 'channels that anyone on the web can read',
    archived: 'archived channels',
  },
};

export interface FixedOperand {
  readonly operator: keyof FixedOperands;
  readonly operand: string;
  readonly about: string;
}

/** The fixed operands of some operators, with descriptions. */
export const fixedOperands: readonly FixedOperand[] = Object.entries(abouts).flatMap(([operator, texts]) =>
  // The table has exactly the operators of its type.
  Object.entries(texts).map(([operand, about]) => ({
    operator: operator as keyof FixedOperands,
    operand,
    about,
  })),
);
