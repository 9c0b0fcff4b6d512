/** Finds the messages that became a user's own by a star or a reaction, without having been received. */
export const historicalMessages = /* sql */ `
CREATE INDEX user_message_historical ON user_message (user_id, message_id) WHERE flags & 256;
`;
