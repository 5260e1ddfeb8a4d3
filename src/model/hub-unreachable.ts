/** The hub cannot be reached, as opposed to saying no. */
export class HubUnreachable extends Error {
  override readonly name = 'HubUnreachable';
}
