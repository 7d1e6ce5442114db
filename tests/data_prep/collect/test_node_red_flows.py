"""The flows that Node-RED begins with."""

import pytest

from data_prep.collect.apps.node_red_flows import NAMES, flows_of


@pytest.mark.parametrize("name", NAMES)
def test_wires_lead_to_nodes_of_the_same_tab_and_nothing_goes_by_itself(name):
    flows = flows_of(name)
    nodes = {node["id"]: node for node in flows}
    assert len(nodes) == len(flows)
    assert sum(node["type"] == "tab" for node in flows) == 2
    for node in flows:
        assert not node.get("repeat")
        assert not node.get("once")
        assert node["type"] == "tab" or nodes[node["z"]]["type"] == "tab"
        for wire in node.get("wires", []):
            assert all(nodes[end]["z"] == node["z"] for end in wire)
