from ladder.api.shape import shape
from ladder.contract import events

Event = shape(events.Event, "An event")
