import { StartupError } from '../core/errors.ts';
import { nearestName } from './nearest-name.ts';

/**
 * Refuses a parser name that is not registered.
 * @throws StartupError with the nearest name and the list of all
 */
export function checkParserName(flag: string, name: string | null, known: readonly string[]): void {
  if (name === null || known.includes(name)) return;
  const near = nearestName(name, known);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new StartupError(`${flag}: there is no parser called "${name}".${hint}\nNames: ${known.join(', ')}`);
}
