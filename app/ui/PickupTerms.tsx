import { Icon } from "./Icon";
import { useSite } from "./site";

/** Place, hours and map of the pickup; nothing where the shop states no address. */
export function PickupTerms() {
  const { address, hours, mapUrl } = useSite().pickup;
  if (!address) return null;
  return (
    <section className="pickup" aria-labelledby="pickup-title">
      <h2 id="pickup-title">Pickup</h2>
      <p className="pickup-place">
        <Icon name="store" /> <b>{address}</b>
      </p>
      <div className="pickup-hours">
        <dl>
          {hours.map(({ days, times }) => (
            <div key={days}>
              <dt>{days}</dt>
              <dd>{times}</dd>
            </div>
          ))}
        </dl>
        {mapUrl && (
          <a className="link" href={mapUrl} target="_blank" rel="nofollow noreferrer">
            Show on the map
          </a>
        )}
      </div>
    </section>
  );
}
