"""Triangles of mesh files, for pictures: STL and OBJ as `Mesh` reads them, COLLADA (.dae) and glTF (.glb).

Of COLLADA and glTF the triangles of all nodes are read, where the nodes put them, in meters; materials, and
which axis is up, are not.  A surface may be open.  A file that cannot be read has no triangles.
"""

import json
import struct
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import ModelError
from poinsot.model.checks import Array
from poinsot.model.rotations import matrix
from poinsot.model.shapes.mesh import read_triangles
from poinsot.model.shapes.mesh_file import MeshFile
from poinsot.robots.document import Element, file_bytes, parse

Surface = tuple[Array, NDArray[np.int64]]  # vertices (n, 3) and faces (m, 3)
COMPONENTS = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}  # of glTF
DEEPEST = 200  # nodes inside each other
NOTHING = np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)


def surface(shape: MeshFile) -> Surface:
    """Return the triangles of a shape in meters; none if its file is missing or cannot be read."""
    try:
        stamp = Path(shape.path).stat().st_mtime_ns
    except (OSError, ValueError):
        return NOTHING
    return _read(shape.path, shape.scale, stamp)


@lru_cache(maxsize=256)
def _read(path: str, scale: tuple[float, float, float], stamp: int) -> Surface:
    readers = {".dae": _collada, ".glb": _gltf}
    place = Path(path)
    try:
        found = readers.get(place.suffix.lower(), _plain)(place)
        vertices, faces = found[0] * np.array(scale), found[1]
        if not np.isfinite(vertices).all() or (len(faces) and faces.max() >= len(vertices)):
            return NOTHING
        return vertices, faces
    except (ModelError, ValueError, KeyError, IndexError, TypeError, struct.error):
        return NOTHING


def _plain(path: Path) -> Surface:
    return read_triangles(f"mesh '{path}'", path)


def _join(parts: list[Surface]) -> Surface:
    if not parts:
        return NOTHING
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    faces = [faces + start for (_, faces), start in zip(parts, starts, strict=False)]
    return np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces)


def _place(part: Surface, T: Array) -> Surface:
    return part[0] @ T[:3, :3].T + T[:3, 3], part[1]


# COLLADA


def _collada(path: Path) -> Surface:
    root, _ = parse(path, file_bytes(path))
    named: dict[str, Element] = {}
    waiting = [root]
    while waiting:
        one = waiting.pop()
        if "id" in one.attributes:
            named[f"#{one.attributes['id']}"] = one
        waiting += one.children
    meshes = {key: _geometry(one, named) for key, one in named.items() if one.name == "geometry"}
    asset = root.first("asset")
    unit = asset.first("unit") if asset is not None else None
    meter = float(unit.attributes.get("meter", "1")) if unit is not None else 1.0
    parts = []
    scenes = (one for library in root.all("library_visual_scenes") for one in library.all("visual_scene"))
    nodes = [(node, np.eye(4), 0) for scene in scenes for node in scene.all("node")]
    while nodes:
        node, T, depth = nodes.pop()
        T = T @ _transform(node)
        for instance in (*node.all("instance_geometry"), *node.all("instance_controller")):
            part = meshes.get(instance.attributes.get("url", ""))
            if part is not None:
                parts.append(_place(part, T))
        other = [named[x.attributes["url"]] for x in node.all("instance_node")]
        if depth < DEEPEST:
            nodes += [(child, T, depth + 1) for child in (*node.all("node"), *other)]
    vertices, faces = _join(parts or list(meshes.values()))
    return vertices * meter, faces


def _numbers(one: Element | None) -> Array:
    return np.array((one.text if one is not None else "").split(), dtype=float)


def _transform(node: Element) -> Array:
    T = np.eye(4)
    for one in node.children:
        x, step = _numbers(one) if one.name in ("matrix", "translate", "rotate", "scale") else None, np.eye(4)
        if x is None:
            continue
        if one.name == "matrix":
            step = x.reshape(4, 4)
        elif one.name == "translate":
            step[:3, 3] = x
        elif one.name == "scale":
            step[:3, :3] = np.diag(x)
        else:
            half = np.radians(x[3]) / 2
            axis = x[:3] / (np.linalg.norm(x[:3]) or 1.0)
            step[:3, :3] = matrix(np.array([np.cos(half), *(np.sin(half) * axis)]))
        T = T @ step
    return T


def _geometry(one: Element, named: dict[str, Element]) -> Surface:
    mesh = one.first("mesh")
    parts = []
    for kind in mesh.children if mesh is not None else []:
        if kind.name not in ("triangles", "polylist", "polygons"):
            continue
        inputs = list(kind.all("input"))
        width = 1 + max(int(x.attributes.get("offset", "0")) for x in inputs)
        vertex = next(x for x in inputs if x.attributes.get("semantic") == "VERTEX")
        source = named[vertex.attributes["source"]]
        position = next(x for x in source.all("input") if x.attributes.get("semantic") == "POSITION")
        points = _numbers(named[position.attributes["source"]].first("float_array")).reshape(-1, 3)
        offset = int(vertex.attributes.get("offset", "0"))
        lists = [_numbers(p).astype(np.int64).reshape(-1, width)[:, offset] for p in kind.all("p")]
        if kind.name == "polylist":
            counts = _numbers(kind.first("vcount")).astype(np.int64)
            lists = np.split(lists[0], np.cumsum(counts)[:-1]) if (counts != 3).any() else lists
        if kind.name == "triangles" or (kind.name == "polylist" and len(lists) == 1):
            faces = np.concatenate(lists).reshape(-1, 3)
        else:
            fans = [(x[0], x[i], x[i + 1]) for x in lists for i in range(1, len(x) - 1)]
            faces = np.array(fans, dtype=np.int64).reshape(-1, 3)
        parts.append((points, faces))
    return _join(parts)


# glTF


def _gltf(path: Path) -> Surface:
    data = file_bytes(path)
    magic, version, _ = struct.unpack_from("<4sII", data)
    if magic != b"glTF" or version != 2:
        raise ValueError("not glTF 2")
    chunks, at = [], 12
    while at + 8 <= len(data):
        length, _ = struct.unpack_from("<II", data, at)
        chunks.append(data[at + 8 : at + 8 + length])
        at += 8 + length
    model, blob = json.loads(chunks[0]), chunks[1] if len(chunks) > 1 else b""

    def table(number: int, columns: int) -> NDArray[Any]:
        accessor = model["accessors"][number]
        view = model["bufferViews"][accessor["bufferView"]]
        kind = np.dtype(COMPONENTS[accessor["componentType"]])
        begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride, count = view.get("byteStride", kind.itemsize * columns), accessor["count"]
        rows = np.ndarray((count, columns), kind, blob, begin, (stride, kind.itemsize))
        return rows.copy()

    parts = []
    scene = model["scenes"][model.get("scene", 0)]
    nodes = [(i, np.eye(4), 0) for i in scene["nodes"]]
    while nodes:
        i, T, depth = nodes.pop()
        node = model["nodes"][i]
        T = T @ _node(node)
        for one in model["meshes"][node["mesh"]]["primitives"] if "mesh" in node else []:
            points = table(one["attributes"]["POSITION"], 3).astype(float)
            order = table(one["indices"], 1)[:, 0] if "indices" in one else np.arange(len(points))
            if one.get("mode", 4) == 4:
                parts.append(_place((points, order.astype(np.int64).reshape(-1, 3)), T))
        if depth < DEEPEST:
            nodes += [(child, T, depth + 1) for child in node.get("children", [])]
    return _join(parts)


def _node(node: dict[str, Any]) -> Array:
    if "matrix" in node:
        return np.array(node["matrix"], dtype=float).reshape(4, 4).T
    T = np.eye(4)
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    T[:3, :3] = matrix(np.array([w, x, y, z], dtype=float)) * np.array(node.get("scale", (1.0, 1.0, 1.0)))
    T[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return T
